import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError } from "../../errors.ts";
import { networkOptions } from "./network-options.ts";
import { openFinder } from "./open-finder.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-finder-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A slide with values spread evenly from 0 to 2. */
const slide = {
  fluorescent: true,
  sample: () => Promise.resolve(Float32Array.from({ length: 2001 }, (_, i) => i / 1000)),
};
const options = networkOptions.parse({});

describe("openFinder", () => {
  it("gives the network the slide's brightness range", async () => {
    const { brightness } = await openFinder(options, slide);
    expect(brightness.low).toBeCloseTo(0.02, 2);
    expect(brightness.high).toBeCloseTo(1.996, 2);
  });

  it.each([
    ["missing", null],
    ["damaged", "not a network"],
  ])("ends with one sentence when the weights are %s", async (name, text) => {
    const weights = join(folder, `${name}.onnx`);
    if (text !== null) await writeFile(weights, text);
    const opening = openFinder(options, slide, weights);
    await expect(opening).rejects.toThrow(InputError);
    await expect(opening).rejects.toThrow(
      /^The network that finds nuclei can't run on this machine \([^\n]+\): install Stipple again with npm ci\.$/,
    );
  });
});
