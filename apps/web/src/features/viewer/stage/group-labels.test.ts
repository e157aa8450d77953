import type { Scene } from "@stipple/viewer";
import { expect, it, onTestFinished, vi } from "vitest";
import { labelsIn } from "./group-labels.tsx";

it("shortens a name that would lie across the whole view, and no other", () => {
  // Without a canvas, letters are 0.6 of the size wide.
  vi.stubGlobal("document", { createElement: () => ({ getContext: () => null }) });
  onTestFinished(() => void vi.unstubAllGlobals());
  const scene = {
    project: (x: number, y: number) => [x, y],
    frame: () => ({ width: 800, height: 600 }),
  } as unknown as Scene;
  const names = ["Tumor epithelial", "Tumor_border_".repeat(6)];
  const anchors = names.map((name, at) => ({ name, x: 400, y: 100 + 200 * at }));
  const [short, long] = labelsIn(scene, anchors);
  expect(short!.name).toBe("Tumor epithelial");
  expect(long!.name).toMatch(/^Tumor_border_Tumor_b.*…$/);
  expect(long!.name.length).toBeLessThanOrEqual(25);
});
