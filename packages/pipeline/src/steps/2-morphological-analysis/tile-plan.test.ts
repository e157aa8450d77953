import { expect, it } from "vitest";
import { step } from "./step.ts";
import { workingGrid, workingScale } from "./tile-plan.ts";

const defaults = step.params.parse({});

it("reads an image at its own scale, between that of a 40x scan and 0.5 µm per pixel", () => {
  const scales = [0.25, 0.35, 0.425, 0.5, 0.73].map((own) => workingScale(own, defaults));
  expect(scales).toEqual([0.35, 0.35, 0.425, 0.5, 0.5]);
});

it("keeps the pixels of an image that it reads at its own scale", () => {
  const image = { widthPx: 4941, heightPx: 3000, micronsPerPixel: 0.425 };
  const grid = workingGrid(image, workingScale(image.micronsPerPixel, defaults));
  expect(grid).toEqual({ widthPx: 4941, heightPx: 3000, umPerPx: 0.425, step: 1 });
});
