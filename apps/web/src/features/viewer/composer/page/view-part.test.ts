import { expect, it, onTestFinished, vi } from "vitest";
import { viewSvg } from "./view-part.ts";

it("shortens long names of groups, which would be cut off at the edge of the view", () => {
  // Without a canvas, all letters are as wide.
  vi.stubGlobal("document", { createElement: () => ({ getContext: () => null }) });
  onTestFinished(() => void vi.unstubAllGlobals());
  const name = "Cancer-associated fibroblast, inflammatory subtype";
  const svg = viewSvg(
    {
      ...{
        raster: "data:,",
        shapes: "",
        umPerPixel: null,
        swipe: null,
        widthPx: 200,
        heightPx: 100,
      },
      place: { x: 0, y: 0, zoom: 0 },
    },
    { picture: { width: 200, height: 100 }, axes: 0 },
    { id: "a", textPt: 7, hasScaleBar: false, anchors: [{ name, x: 0, y: 0 }] },
  );
  expect(svg).toContain(">Cancer-associated fibrob…</text>");
  expect(svg).toContain(` xlink:href="data:,"`);
});
