import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import { describe, expect, it } from "vitest";
import { stageTexts } from "./texts.ts";
import { channelChoices, chosenChannels, drawnChannels, MAX_CHANNELS } from "./channel-choices.ts";
import { pointGrid } from "./point-grid.ts";
import { lengthText } from "./scale-bar.ts";
import { spotColors, spotEdgeColors } from "./spot-colors.ts";

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

describe("colors of spots", () => {
  it("show a gene's counts on a separate scale", () => {
    const values = Float32Array.of(0, 5, 10);
    const range = { low: 0, high: 10, expressing: 2 };
    const rgba = spotColors(
      { by: "value", values, range, observedOnly: false },
      values.length,
      undefined,
    );
    expect([...rgba.slice(0, 4)]).toEqual([68, 1, 84, 255]);
    expect([...rgba.slice(8, 12)]).toEqual([253, 231, 37, 255]);
  });

  it("show clusters, or a single color where nothing is known", () => {
    const palette = [
      [1, 2, 3],
      [4, 5, 6],
    ] as const;
    const rgba = spotColors({ by: "group", of: "cluster", palette }, 2, Uint16Array.of(1, 65_535));
    expect([...rgba.slice(0, 3)]).toEqual([4, 5, 6]);
    expect([...rgba.slice(4, 7)]).toEqual([201, 209, 218]);
    const edges = spotEdgeColors(2);
    expect([...edges.slice(0, 4)]).toEqual([...edges.slice(4)]);
  });
});

it("counts the accepted points in a rectangle", () => {
  const grid = pointGrid(Float32Array.from({ length: 200 }, (_, i) => (i % 2 ? 0 : i / 2)));
  const box = { minX: 10, minY: -1, maxX: 19, maxY: 1 };
  expect(grid.count(box, () => true)).toBe(10);
  expect(grid.count(box, (point) => point % 2 === 0)).toBe(5);
});

it("describes what a stage shows", () => {
  expect(lengthText(1234)).toBe("1.2 mm");
  expect(lengthText(348)).toBe("350 µm");
  const all = {
    view: "tissue",
    inView: 2613,
    drawn: 2613,
    by: "cell type",
    wide: "1.2 mm",
    outlined: false,
    swipe: null,
  } as const;
  expect(stageTexts.summary(all)).toBe("Tissue, 2,613 cells colored by cell type, 1.2 mm wide.");
  expect(stageTexts.summary({ ...all, inView: 40, outlined: true })).toBe(
    "Tissue, 40 of 2,613 cells in view colored by cell type, 1.2 mm wide, drawn as outlines.",
  );
});
