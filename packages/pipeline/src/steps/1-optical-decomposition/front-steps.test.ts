import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gaussianBlur } from "@stipple/numerics/gaussian-blur";
import { Random } from "@stipple/numerics/random";
import { writeTestTiff } from "@stipple/formats/tiff/testing/write-tiff";
import { analysis } from "../../analysis.ts";

import { analysisSettings } from "../../settings.ts";
import { readResult } from "../../store/results-folder.ts";
import { openWorkingImage } from "../../optics/working-image.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-front-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const N_GENES = 60;

/** A flat folder with 36 spots at 1 µm per pixel and, optionally, an H&E-like image of 800 × 700 px. */
async function writeSample(): Promise<string> {
  const input = join(folder, "input");
  await mkdir(input, { recursive: true });
  const random = new Random(8);
  const positions: string[] = [];
  const entries: string[] = [];
  const barcodes: string[] = [];
  for (let row = 0; row < 6; row++) {
    for (let col = row % 2; col < 12; col += 2) {
      const barcode = `SPOT${row}x${col}-1`;
      const [x, y] = [100 + 50 * col, 120 + 50 * Math.sqrt(3) * row];
      const inTissue = row === 5 && col === 11 ? 0 : 1;
      positions.push(`${barcode},${inTissue},${row},${col},${y.toFixed(3)},${x.toFixed(3)}`);
      barcodes.push(barcode);
      for (let gene = 1; gene <= N_GENES; gene++) {
        const count = random.poisson(gene <= 20 === col < 6 ? 8 : 1);
        if (count > 0) entries.push(`${gene} ${barcodes.length} ${count}`);
      }
    }
  }
  await writeFile(join(input, "tissue_positions.csv"), positions.join("\n"));
  await writeFile(join(input, "barcodes.tsv.gz"), gzipSync(`${barcodes.join("\n")}\n`));
  const features = Array.from(
    { length: N_GENES },
    (_, g) => `ENSG${g}\tGene${g >> 1}\tGene Expression\n`,
  );
  await writeFile(join(input, "features.tsv.gz"), gzipSync(features.join("")));
  await writeFile(
    join(input, "matrix.mtx.gz"),
    gzipSync(
      `%%MatrixMarket matrix coordinate integer general\n${N_GENES} ${barcodes.length} ${entries.length}\n${entries.join("\n")}\n`,
    ),
  );
  return input;
}

async function writeBrightfield(input: string): Promise<void> {
  const [width, height] = [800, 700];
  const random = new Random(2);
  const data = Buffer.alloc(width * height * 3, 240);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (x < 50 || x > 750 || y < 60 || y > 620) continue;
    const nucleus = (x % 24) ** 2 + (y % 24) ** 2 < 40;
    const shade = 0.9 + 0.2 * random.uniform();
    const [h, e] = nucleus ? [1.1 * shade, 0.1] : [0.03, 0.6 * shade];
    [0.65, 0.7, 0.29].forEach((absorbed, c) => {
      data[3 * i + c] = 240 * Math.exp(-h * absorbed - e * [0.07, 0.99, 0.11][c]);
    });
  }
  await sharp(data, { raw: { width, height, channels: 3 } })
    .tiff()
    .toFile(join(input, "image.tif"));
}

/** For a picture at half the size of an 800 × 700 px image. */
const SCALE_FACTORS = JSON.stringify({
  tissue_hires_scalef: 0.5,
  spot_diameter_fullres: 65,
  fiducial_diameter_fullres: 105,
});

/** Tissue with irregular clouds of nuclei and matrix that differ for each seed. */
async function writeMottled(path: string, seed: number, width = 800, height = 700): Promise<void> {
  const random = new Random(seed);
  const noise = (): Float32Array =>
    Float32Array.from({ length: width * height }, () => random.normal());
  const clouds = gaussianBlur(noise(), width, height, 12).map((value) => 25 * value);
  const data = Buffer.alloc(width * height * 3, 240);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (x < 20 || x > width - 20 || y < 20 || y > height - 20) continue;
    const h = 0.2 + 0.5 / (1 + Math.exp(-3 * clouds[i])) + 0.1 * random.uniform();
    [0.65, 0.7, 0.29].forEach((absorbed, c) => {
      data[3 * i + c] = 240 * Math.exp(-h * absorbed - 0.4 * [0.07, 0.99, 0.11][c]);
    });
  }
  const image = sharp(data, { raw: { width, height, channels: 3 } });
  await (path.endsWith(".png") ? image.png() : image.tiff()).toFile(path);
}

function request(input: string, staining: "h_and_e" | "if" = "h_and_e") {
  const lines: string[] = [];
  return {
    lines,
    input,
    results: join(folder, "results"),
    settings: analysisSettings.parse({ staining }),
    threads: 1,
    signal: new AbortController().signal,
    listener: { log: (line: string) => void lines.push(line) },
  };
}

/** The files that a user sees in a results folder. */
async function outputs(results: string): Promise<string[]> {
  return (await readdir(results)).filter((name) => !name.startsWith("."));
}

describe("steps 0 and 1", () => {
  it("read a flat folder and write every field", async () => {
    const input = await writeSample();
    await writeBrightfield(input);
    const run = request(input);
    await analysis.runStep(0, run);
    await analysis.runStep(1, run);
    const { results } = run;
    const counts = await readResult(results, "spots/counts");
    expect([counts.nRows, counts.nCols]).toEqual([35, N_GENES]);
    const totals = await readResult(results, "spots/total_counts");
    const total = totals.reduce((sum, value) => sum + value, 0);
    expect(counts.data.reduce((sum, value) => sum + value, 0)).toBe(total);
    expect(await readResult(results, "sample/scale")).toMatchObject({ source: "array_pitch" });
    expect((await readResult(results, "sample/scale")).micronsPerPixel).toBeCloseTo(1, 4);
    expect(await readResult(results, "sample/image")).toMatchObject({
      file: "image.tif",
      source: "microscope",
      scale: 1,
    });
    const xy = await readResult(results, "spots/xy");
    expect([xy.data[2], xy.data[3]]).toEqual([200, 120]);
    const names = await readResult(results, "genes/name");
    expect(names.slice(0, 4)).toEqual(["Gene0", "Gene0-1", "Gene1", "Gene1-1"]);
    expect(new Set(names).size).toBe(N_GENES);
    const components = await readResult(results, "spots/X_pca");
    expect([components.nRows, components.nCols]).toEqual([35, 10]);
    const quality = await readResult(results, "sample/quality");
    expect(quality).toMatchObject({
      nSpots: 35,
      nGenes: N_GENES,
      totalCounts: total,
      spotsOnImage: 1,
    });
    const stain = await readResult(results, "image/stain");
    expect(stain.source).toBe("estimated");
    expect(Math.abs(stain.hematoxylin[0] - 0.65)).toBeLessThan(0.1);
    expect(Math.abs(stain.eosin[1] - 0.99)).toBeLessThan(0.05);
    const mask = await readResult(results, "image/tissue_mask");
    const fraction = mask.data.reduce((sum, value) => sum + value, 0) / mask.data.length;
    expect(fraction).toBeCloseTo((701 * 561) / (800 * 700), 1);
    const folders = [
      ...(await readdir(join(results, "step0_output"))),
      ...(await readdir(join(results, "step1_output"))),
    ];
    expect(folders).toEqual(
      expect.arrayContaining(["spatial_clusters.png", "spots.csv", "stain_separation.png"]),
    );
    const figure = await sharp(join(results, "step0_output/spatial_clusters.png")).metadata();
    expect(figure.width).toBeGreaterThan(900);
  });

  it("compare the image with Space Ranger's picture of it, and continue with another image only on request", async () => {
    const input = await writeSample();
    await writeMottled(join(input, "image.tif"), 5);
    await writeFile(join(input, "scalefactors_json.json"), SCALE_FACTORS);
    const hires = join(input, "tissue_hires_image.png");
    const step1 = async (settings = {}): Promise<string> => {
      const run = { ...request(input), results: join(folder, "compared"), ...settings };
      if (!("parameters" in settings)) await analysis.runStep(0, run);
      const refusal = await analysis.runStep(1, run).then(
        () => "",
        (error: unknown) => (error as Error).message,
      );
      return refusal || run.lines.join("\n");
    };
    await sharp(join(input, "image.tif")).resize(400, 350).flop().png().toFile(hires);
    expect(await step1()).toMatch(
      /image\.tif seems to be mirrored left to right relative to tissue_hires_image\.png.*--force/,
    );
    await writeMottled(join(input, "other.png"), 6);
    await sharp(join(input, "other.png")).resize(400, 350).png().toFile(hires);
    await rm(join(input, "other.png"));
    expect(await step1()).toMatch(/image\.tif does not match tissue_hires_image\.png/);
    const accepted = { parameters: { "optical-decomposition": { acceptImage: true } } };
    expect(await step1(accepted)).toMatch(/does not match tissue_hires_image/);
    const registration = await readResult(join(folder, "compared"), "image/registration");
    expect(registration.mismatch).toMatch(/use the image that Space Ranger was run with\.$/);
    expect(registration.likePicture).toBeLessThan(0.6);
  });

  it("scale positions to a smaller copy of the image with a warning, and reject another image of that size", async () => {
    const input = await writeSample();
    await writeMottled(join(input, "whole.png"), 5);
    const whole = sharp(await readFile(join(input, "whole.png")));
    await rm(join(input, "whole.png"));
    await whole.clone().resize(400, 350).png().toFile(join(input, "tissue_hires_image.png"));
    await writeFile(join(input, "scalefactors_json.json"), SCALE_FACTORS);
    await whole.clone().resize(640, 560).tiff().toFile(join(input, "image.tif"));
    const run = request(input);
    await analysis.runStep(0, run);
    await analysis.runStep(1, run);
    expect(run.lines.join("\n")).toMatch(
      /image\.tif \(640 × 560 px\) is 1\.25 times smaller than the image that the positions refer to \(about 800 × 700 px\)/,
    );
    await writeMottled(join(input, "image.tif"), 6, 640, 560);
    await analysis.runStep(0, run);
    await expect(analysis.runStep(1, run)).rejects.toThrow(
      /image\.tif \(640 × 560 px\) is neither the image that the positions refer to \(about 800 × 700 px .*--force/,
    );
  });

  it.each([
    [
      1.25,
      "0.800 µm per pixel .* 1.000 by the positions: it may be 1.25 times larger than the image",
    ],
    [0.98, null],
  ])(
    "doubt an image with a pixel size of its own, without a picture: × %s",
    async (times, doubt) => {
      const input = await writeSample();
      await writeBrightfield(input);
      const path = join(input, "image.tif");
      const pixels = sharp(await readFile(path));
      await pixels
        .tiff({ xres: 1000 * times, yres: 1000 * times, resolutionUnit: "cm" })
        .toFile(path);
      const run = request(input);
      await analysis.runStep(0, run);
      await analysis.runStep(1, run);
      const registration = await readResult(run.results, "image/registration");
      if (doubt === null) expect(registration.doubt).toBeNull();
      else expect(registration.doubt).toMatch(new RegExp(doubt));
    },
  );

  it("note the spots that the image does not show: off it, or where the scanner filled it in", async () => {
    const input = await writeSample();
    await writeBrightfield(input);
    const image = sharp(await readFile(join(input, "image.tif")));
    const black = {
      create: { width: 150, height: 700, channels: 3, background: "black" },
    } as const;
    const composed = image.composite([{ input: black, left: 0, top: 0 }]);
    const padded = await composed.tiff().toBuffer();
    await sharp(padded)
      .extract({ left: 0, top: 0, width: 640, height: 700 })
      .toFile(join(input, "image.tif"));
    const run = request(input);
    await analysis.runStep(0, run);
    await analysis.runStep(1, run);
    const x = (await readResult(run.results, "spots/xy")).data.filter((_, i) => i % 2 === 0);
    const seen = await readResult(run.results, "spots/seen");
    expect([...seen]).toEqual(Array.from(x, (at) => Number(at > 160 && at < 640)));
    expect(run.lines.join("\n")).toMatch(
      /6 of 35 spots \(17%\) lie where image\.tif is flat black or white, outside the scan; no cells can be found there\./,
    );
  });

  it("name red and blue that were exchanged", async () => {
    const input = await writeSample();
    await writeBrightfield(input);
    const path = join(input, "image.tif");
    const warningsOf = async (): Promise<string[]> => {
      const run = request(input);
      for (const step of [0, 1] as const) await analysis.runStep(step, run);
      return run.lines.filter((line) => line.startsWith("Warning"));
    };
    const few = await warningsOf();
    const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
    const exchanged = data.map((_, i) => data[i + [2, 0, -2][i % 3]]);
    await sharp(exchanged, { raw: info }).tiff().toFile(path);
    expect(await warningsOf()).toEqual([
      ...few,
      expect.stringMatching(
        /image\.tif seems to have red and blue exchanged, so nuclei are missed/,
      ),
    ]);
  });

  it("run without any image", async () => {
    const input = await writeSample();
    const run = request(input);
    await analysis.runStep(0, run);
    await analysis.runStep(1, run);
    expect((await readResult(run.results, "sample/image")).source).toBe("none");
    const mask = await readResult(run.results, "image/tissue_mask");
    expect([mask.nRows, mask.nCols, ...mask.data]).toEqual([1, 1, 1]);
    const seen = await readResult(run.results, "spots/seen");
    expect([...seen]).toEqual(new Array(35).fill(1));
    expect(run.lines.some((line) => line.includes("no tissue image"))).toBe(true);
    const image = await openWorkingImage({
      files: { image: null, hires: null, lowres: null } as never,
      read: (key) => readResult(run.results, key),
    });
    expect(image).toBeNull();
  });

  it("record the nuclear channel of a fluorescence image", async () => {
    const input = await writeSample();
    const [width, height] = [800, 700];
    const random = new Random(3);
    const nuclei = Uint16Array.from({ length: width * height }, (_, i) => {
      const [x, y] = [i % width, Math.floor(i / width)];
      return ((x % 24) - 12) ** 2 + ((y % 24) - 12) ** 2 < 12 ? 9000 : 400 + random.below(50);
    });
    const marker = Uint16Array.from({ length: width * height }, (_, i) => 300 + 4 * (i % width));
    const page = (data: Uint16Array) => ({ width, height, samples: 1, data });
    await writeTestTiff(join(input, "image.tif"), [page(marker), page(nuclei)]);
    const run = request(input, "if");
    await analysis.runStep(0, run);
    await analysis.runStep(1, run);
    const stain = await readResult(run.results, "image/stain");
    expect(stain.fluorescence?.nuclearChannel).toBe(1);
    const { ranges, backgrounds } = stain.fluorescence!;
    // Nuclei are 8,600 above a background of 400; downsampling slightly darkens the background next to them.
    expect(Math.abs(ranges[1][1] - 8600)).toBeLessThan(120);
    // Only the marker's slope of 4 per pixel across the squares remains.
    expect(ranges[0][1]).toBeLessThan(600);
    expect(backgrounds).toMatchObject([
      { columns: 12, rows: 11 },
      { columns: 12, rows: 11 },
    ]);
    const warningsOf = async (channelNames: string): Promise<string[]> => {
      const named = request(input, "if");
      const settings = { ...named.settings, channelNames };
      for (const step of [0, 1] as const) await analysis.runStep(step, { ...named, settings });
      return named.lines.filter((line) => line.includes("No nuclear stain was recognized"));
    };
    expect(await warningsOf("CD3,Hoechst")).toEqual([]);
    expect(await warningsOf("CD3,PanCK")).toEqual([
      expect.stringMatching(
        /in image\.tif, so nuclei are looked for in channel 2 \(PanCK\), .*name it DAPI in the channel names/,
      ),
    ]);
  });

  it("stop with one sentence and leave nothing half-done", async () => {
    const input = await writeSample();
    const run = request(input);
    const positions = join(input, "tissue_positions.csv");
    const content = await readFile(positions, "utf8");
    await writeFile(positions, content.replaceAll("SPOT", "OTHER"));
    await expect(analysis.runStep(0, run)).rejects.toThrow(
      /No barcode in barcodes\.tsv\.gz \(such as SPOT0x0-1\) has a position in tissue_positions\.csv \(such as OTHER0x0-1\)/,
    );
    expect(await outputs(run.results)).toEqual([]);
    await writeFile(positions, content.replaceAll(/-1,[01],/g, "-1,0,"));
    await expect(analysis.runStep(0, run)).rejects.toThrow(/no spots as in tissue/);
    await writeFile(positions, content);
    await writeFile(join(input, "image.tif"), "no image");
    await expect(analysis.runStep(0, run)).rejects.toThrow(/image\.tif is a text file/);
    await rm(join(input, "image.tif"));
    const matrix = await readFile(join(input, "matrix.mtx.gz"));
    await writeFile(join(input, "matrix.mtx.gz"), matrix.subarray(0, matrix.length - 200));
    await expect(analysis.runStep(0, run)).rejects.toThrow(/matrix\.mtx\.gz is incomplete/);
  });

  it("refuse counts of which only some have a position", async () => {
    const input = await writeSample();
    const positions = join(input, "tissue_positions.csv");
    const lines = (await readFile(positions, "utf8")).split("\n");
    await writeFile(positions, lines.slice(0, -4).join("\n"));
    await expect(analysis.runStep(0, request(input))).rejects.toThrow(
      /^4 of 36 barcodes .* have no position among the 32 in tissue_positions\.csv/,
    );
  });

  it("can be canceled", async () => {
    const controller = new AbortController();
    const run = {
      ...request(await writeSample()),
      signal: controller.signal,
      listener: { log: () => controller.abort() },
    };
    await expect(analysis.runStep(0, run)).rejects.toMatchObject({ name: "CancelledError" });
    expect(await outputs(run.results)).toEqual([]);
  });

  const crop = resolve(
    import.meta.dirname,
    "../../../../../../shared/data/visium-mouse-brain-crop",
  );
  it.runIf(existsSync(crop))("run on a real sample", async () => {
    const input = join(folder, "crop");
    await cp(crop, input, { recursive: true });
    const run = request(input);
    await analysis.runStep(0, run);
    await analysis.runStep(1, run);
    const scale = await readResult(run.results, "sample/scale");
    expect(scale.micronsPerPixel).toBeCloseTo(0.73, 1);
    expect(scale.residualPx).toBeLessThan(1);
    expect(await readResult(run.results, "sample/quality")).toMatchObject({
      nSpots: 49,
      nGenes: 1999,
      totalCounts: 204_613,
      spotsOnImage: 1,
    });
    const stain = await readResult(run.results, "image/stain");
    expect(stain.source).toBe("estimated");
    expect(stain.hematoxylin[0]).toBeGreaterThan(stain.eosin[0] + 0.3);
  });
});
