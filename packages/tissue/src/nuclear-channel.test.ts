import { findNuclearChannel } from "@stipple/pipeline/internal/steps/1-optical-decomposition/nuclear-channel";
import type { TissueImage } from "@stipple/pipeline/samples";
import { describe, expect, it } from "vitest";
import { mapTissue } from "./anatomy/tissue-map.ts";
import { placeCells } from "./anatomy/place-cells.ts";
import { HUMAN_BREAST_TUMOR } from "./catalog/human-breast-tumor.ts";
import { MOUSE_BRAIN } from "./catalog/mouse-brain.ts";
import { tissueOptions } from "./options.ts";
import { paintFluorescence } from "./paint/fluorescence-image.ts";

describe("nuclear channel of a fluorescence image without channel names", () => {
  // In the two brains, NeuN has more energy at nuclear size than DAPI.
  it.each([
    ["mouse", 2],
    ["mouse", 4],
    ["human", 1],
  ] as const)("is DAPI in %s tissue %i", async (species, seed) => {
    const options = tissueOptions({
      sizeUm: 300,
      umPerPx: 0.5,
      seed,
      species,
      staining: "if",
      imageDifficulty: 1,
    });
    const plan = species === "mouse" ? MOUSE_BRAIN : HUMAN_BREAST_TUMOR;
    const map = mapTissue(plan, options);
    const painted = paintFluorescence(plan, map, placeCells(plan, map, options), options);
    const whole = [{ x: 0, y: 0, width: painted.width, height: painted.height }];
    const search = { umPerPixel: 0.5, signal: new AbortController().signal };
    expect(await findNuclearChannel(unnamed(painted), whole, whole, search)).toMatchObject({
      nuclearChannel: 0,
      reason: "nuclei",
    });
  });
});

/** The painted channels as a readable image. */
function unnamed({ width, height, channels }: ReturnType<typeof paintFluorescence>): TissueImage {
  const { names, values } = channels!;
  const size = width * height;
  return {
    widthPx: width,
    heightPx: height,
    channels: names.length,
    channelNames: [],
    getChannel: (channel: number) =>
      Promise.resolve({
        data: values.subarray(channel * size, (channel + 1) * size),
        width,
        height,
      }),
  } as unknown as TissueImage;
}
