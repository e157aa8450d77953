import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { describe, expect, it } from "vitest";
import {
  channelChoices,
  chosenChannels,
  drawnChannels,
  MAX_CHANNELS,
  maxIntensity,
} from "./channel-choices.ts";

const withChannels = (count: number) =>
  ({
    channels: {
      path: "c",
      dtype: "uint16",
      channels: Array.from({ length: count }, (_, at) => ({
        name: `${at}`,
        color: "#00ff00",
        low: 1,
        high: 9,
      })),
    },
  }) as unknown as ViewerManifest;

describe("channels", () => {
  it("start as in the manifest, with as many drawn as possible at once", () => {
    const choices = channelChoices(withChannels(12), null);
    expect(choices).toHaveLength(12);
    expect(choices[0]).toEqual({ name: "0", visible: true, color: "#00ff00", low: 1, high: 9 });
    expect(drawnChannels(choices)).toHaveLength(MAX_CHANNELS);
    expect(choices[11]!.visible).toBe(false);
  });

  it("are all drawn if there are few, so that showing one again fetches nothing", () => {
    const hidden = { visible: false, color: "#00ff00", low: 1, high: 9 };
    const choices = channelChoices(withChannels(2), [hidden, hidden]);
    expect(drawnChannels(choices)).toEqual([0, 1]);
    expect(channelChoices({ channels: null } as ViewerManifest, null)).toEqual([]);
  });
});

it("remembers a channel's name only if the user gave it one", () => {
  const manifest = withChannels(2);
  const shown = channelChoices(manifest, null);
  const renamed = chosenChannels(manifest, [{ ...shown[0]!, name: " CD3 " }, shown[1]!]);
  expect(renamed!.map(({ name }) => name)).toEqual(["CD3", undefined]);
  expect(channelChoices(manifest, renamed).map(({ name }) => name)).toEqual(["CD3", "1"]);
  const cleared = chosenChannels(manifest, [{ ...shown[0]!, name: "" }, shown[1]!]);
  expect(channelChoices(manifest, cleared).map(({ name }) => name)).toEqual(["0", "1"]);
});

it("has sliders in which the few bright pixels of a rare marker can be reached", () => {
  const rare = { high: 8 };
  const ends = [maxIntensity({ dtype: "uint16" }, rare, rare)];
  // Each time, the upper end is moved as far as it goes.
  for (let moves = 0; moves < 8; moves++) {
    ends.push(maxIntensity({ dtype: "uint16" }, rare, { high: ends.at(-1)! }));
  }
  expect(ends.slice(0, 3)).toEqual([24, 72, 216]);
  expect(ends.at(-1)).toBe(65_535);
  expect(maxIntensity({ dtype: "uint8" }, { high: 200 }, { high: 90 })).toBe(255);
});
