import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseFinder } from "./choose-finder.ts";
import { finderParams } from "./finder-params.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-finder-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A slide with values spread evenly from 0 to 2, alternating dark and bright pixels. */
const slide = {
  fluorescent: true,
  ownPixel: 1.5,
  sample: () => Promise.resolve(Float32Array.from({ length: 2001 }, (_, i) => i / 1000)),
};

describe("chooseFinder", () => {
  it("uses the network with the slide's brightness range", async () => {
    const { finder, warning } = await chooseFinder(finderParams.parse({}), slide);
    expect(warning).toBeNull();
    if (finder.method !== "network") throw new Error(finder.method);
    expect(finder.brightness.low).toBeCloseTo(0.02, 2);
    expect(finder.brightness.high).toBeCloseTo(1.996, 2);
  });

  it("uses the classical method when requested", async () => {
    const params = finderParams.parse({ method: "classical" });
    const { finder, warning } = await chooseFinder(params, slide);
    expect(warning).toBeNull();
    expect(finder).toMatchObject({ method: "classical", options: { smoothingPx: 1.5 } });
  });

  it.each([
    ["missing", null],
    ["damaged", "not a network"],
  ])(
    "falls back to the classical method when the weights are %s, and says so",
    async (name, text) => {
      const weights = join(folder, `${name}.onnx`);
      if (text !== null) await writeFile(weights, text);
      const { finder, warning } = await chooseFinder(finderParams.parse({}), slide, weights);
      expect(finder.method).toBe("classical");
      expect(warning).toMatch(
        /^The trained nucleus network could not be used \(.+\): nuclei were found without it/,
      );
    },
  );
});
