import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { describedFile } from "@stipple/contract/recognition/testing/contents";
import { FOLDERS } from "@stipple/contract/recognition/testing/folders";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { InputError } from "../errors.ts";
import { findSampleFiles } from "./find-sample-files.ts";
import type { SampleFiles } from "./sample-files.ts";
import { inputPaths, samplePaths } from "./sample-files.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "stipple-sample-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(...lines: string[]): Promise<void> {
  for (const line of lines) {
    const { path, bytes } = await describedFile(line);
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes);
  }
}

const MEX = ["barcodes.tsv.gz", "features.tsv.gz", "matrix.mtx.gz"];
const SPATIAL = ["scalefactors_json.json", "tissue_hires_image.png", "tissue_lowres_image.png"];
const within = (folder: string, names: string[]): string[] =>
  names.map((name) => `${folder}/${name}`);

describe("findSampleFiles", () => {
  it("recognizes Space Ranger's outs, including from a parent folder, and prefers the filtered matrix", async () => {
    await put(
      ...within("run/outs/filtered_feature_bc_matrix", MEX),
      ...within("run/outs/raw_feature_bc_matrix", MEX),
      "run/outs/filtered_feature_bc_matrix.h5",
      "run/outs/raw_feature_bc_matrix.h5",
      "run/outs/molecule_info.h5",
      ...within("run/outs/spatial", [...SPATIAL, "tissue_positions.csv", "cytassist_image.tiff"]),
      "run/slide.tif",
    );
    const files = await findSampleFiles(root, { platform: "visium" });
    expect(files.matrix).toMatchObject({
      format: "mex",
      matrix: join(root, "run/outs/filtered_feature_bc_matrix/matrix.mtx.gz"),
    });
    expect(files.otherMatrix).toEqual({
      format: "h5",
      path: join(root, "run/outs/filtered_feature_bc_matrix.h5"),
    });
    expect(basename(files.image!)).toBe("slide.tif");
    expect(files.hires).toContain("tissue_hires_image.png");
    expect(samplePaths(files)).toHaveLength(9);
  });

  it("recognizes a flat folder as left by an upload", async () => {
    await put(...MEX, ...SPATIAL, "tissue_positions_list.csv", "image.btf", "other.tif");
    const files = await findSampleFiles(root, { platform: "visium" });
    expect(files.positions).toEqual({
      path: join(root, "tissue_positions_list.csv"),
      format: "csv",
    });
    expect(basename(files.image!)).toBe("image.btf");
    expect(files.otherMatrix).toBeNull();
  });

  it("accepts names with a sample prefix, genes.tsv, and uncompressed files", async () => {
    await put(
      "GSM1_A_barcodes.tsv",
      "GSM1_A_genes.tsv",
      "GSM1_A_matrix.mtx",
      "GSM1_A_tissue_positions_list.csv.gz",
      "GSM1_A_scalefactors_json.json.gz",
    );
    const files = await findSampleFiles(root, { platform: "visium" });
    expect(files.matrix).toMatchObject({ features: join(root, "GSM1_A_genes.tsv") });
    expect(files.scalefactors).toBe(join(root, "GSM1_A_scalefactors_json.json.gz"));
    expect(files.image).toBeNull();
  });

  it("selects the bin size of HD", async () => {
    for (const bin of ["square_002um", "square_008um", "square_016um"]) {
      await put(
        ...within(`outs/binned_outputs/${bin}/filtered_feature_bc_matrix`, MEX),
        ...within(`outs/binned_outputs/${bin}/spatial`, [...SPATIAL, "tissue_positions.parquet"]),
      );
    }
    await put("outs/segmented_outputs/filtered_feature_cell_matrix.h5", "he.btf");
    const at = async (resolution: "8" | "16"): Promise<string> =>
      (await findSampleFiles(root, { platform: "hd_visium", resolution })).positions.path;
    expect(await at("8")).toContain("square_008um");
    expect(await at("16")).toContain("square_016um");
    await expect(findSampleFiles(root, { platform: "visium" })).rejects.toThrow(
      /platform to HD Visium/,
    );
  });

  it("finds the 2 µm bins in their folder or by their own name", async () => {
    const bins = ["square_002um", "square_008um"].flatMap((bin) =>
      within(`binned_outputs/${bin}`, [
        "filtered_feature_bc_matrix.h5",
        "raw_feature_bc_matrix.h5",
        "spatial/tissue_positions.parquet",
      ]),
    );
    await put(...bins);
    const found = (fineBins?: string) => findSampleFiles(root, { platform: "hd_visium", fineBins });
    const files = await found();
    expect(files.fineBins).toBe(
      join(root, "binned_outputs/square_002um/filtered_feature_bc_matrix.h5"),
    );
    expect(files.matrix).toMatchObject({ path: expect.stringContaining("square_008um") });
    expect(files.layout).toContain("2 µm bins");
    expect(inputPaths(files).fine_bins).toEqual([files.fineBins]);
    expect((await found("/elsewhere/fine.h5")).fineBins).toBe("/elsewhere/fine.h5");
    await rm(join(root, "binned_outputs"), { recursive: true });
    await put("filtered_feature_bc_matrix.h5", "tissue_positions.parquet");
    expect((await found()).fineBins).toBeNull();
    // As stored by an upload.
    await put("square_002um.h5");
    const flat = await found();
    expect(flat.fineBins).toBe(join(root, "square_002um.h5"));
    expect(flat.matrix).toMatchObject({ path: join(root, "filtered_feature_bc_matrix.h5") });
  });

  it("never takes the instrument's image, and says so", async () => {
    await put(...MEX, "spatial/tissue_positions.csv", "spatial/cytassist_image.tiff");
    const { image, leftOut } = await findSampleFiles(root, { platform: "visium" });
    expect(image).toBeNull();
    expect(leftOut).toEqual([
      {
        sentence: expect.stringMatching(/^cytassist_image\.tiff .* not the microscope image\.$/),
        matters: false,
      },
    ]);
  });

  it.each([
    ["slide.svs", ["slide.svs"]],
    [
      "Scan.JPG",
      ["Scan.JPG = 900x800", "spatial/cytassist_image.tiff", "spatial/detected_tissue_image.jpg"],
    ],
    ["image.png", ["image.png = 900x800", "overview.png", "umap.png"]],
    ["scan.tif", ["scan.tif", "slide.svs"]],
    [null, ["one.jpg", "two.jpg", "spatial/aligned_fiducials.jpg"]],
  ])("takes %s as the image among %j", async (chosen, names) => {
    await put(...MEX, "spatial/tissue_positions.csv", ...within("spatial", SPATIAL), ...names);
    const { image, hires } = await findSampleFiles(root, { platform: "visium" });
    expect(image && basename(image)).toBe(chosen);
    expect(basename(hires!)).toBe("tissue_hires_image.png");
  });

  it("refers to files by their actual names", async () => {
    await put("GSM1_A_barcodes.tsv", "GSM1_A_matrix.mtx", "GSM1_A_tissue_positions_list.csv");
    const find = (): Promise<SampleFiles> => findSampleFiles(root, { platform: "visium" });
    await expect(find()).rejects.toThrow(/features\.tsv\.gz is missing next to GSM1_A_matrix\.mtx/);
    await put("GSM1_A_genes.tsv");
    expect((await find()).layout).toContain("positions in GSM1_A_tissue_positions_list.csv");
  });

  it("reports what is missing", async () => {
    const find = (): Promise<unknown> => findSampleFiles(root, { platform: "visium" });
    await expect(find()).rejects.toThrow(/is empty/);
    await put("notes.txt");
    await expect(find()).rejects.toThrow(/The positions are missing.*spatial folder there/);
    await expect(findSampleFiles(root, { platform: "hd_visium" })).rejects.toThrow(
      /The positions are missing.*binned_outputs folder there/,
    );
    await put("tissue_positions.csv");
    await expect(find()).rejects.toThrow(/counts are missing/);
    await put("barcodes.tsv.gz", "matrix.mtx.gz");
    await expect(find()).rejects.toThrow(/features\.tsv\.gz is missing next to matrix\.mtx\.gz/);
    await expect(findSampleFiles(join(root, "nowhere"), { platform: "visium" })).rejects.toThrow(
      /does not exist/,
    );
    await expect(findSampleFiles(join(root, "notes.txt"), { platform: "visium" })).rejects.toThrow(
      /is a file/,
    );
    await put("features.tsv.gz");
    await expect(
      findSampleFiles(root, { platform: "visium", image: join(root, "no.tif") }),
    ).rejects.toThrow(/no\.tif does not exist/);
  });

  it.each([
    ["B_tissue_positions.csv", "A_filtered_feature_bc_matrix.h5", "belongs to a, not to B_tissue"],
    ["tissue_positions.csv", "molecule_info.h5", "holds molecules, not counts by spot"],
    ["tissue_positions.csv", "cells.h5ad", "is not a count matrix of spots"],
  ])(
    "says of the files beside %s why %s does not hold its counts",
    async (positions, file, why) => {
      await put(positions, file);
      await expect(findSampleFiles(root, { platform: "visium" })).rejects.toThrow(
        `The counts are missing from ${basename(root)} (${file} ${why}`,
      );
    },
  );

  it("reports several samples or images in a folder", async () => {
    await put(
      ...within("a", [...MEX, "tissue_positions.csv"]),
      ...within("b", [...MEX, 'tissue_positions.csv = "AAACAAGTATCTCCCA-1,1,1,1,9,9\\n']),
    );
    await expect(findSampleFiles(root, { platform: "visium" })).rejects.toThrow(
      /contains 2 samples \(a and b\)/,
    );
    await put("a/one.tif", "a/two.tif");
    await expect(findSampleFiles(join(root, "a"), { platform: "visium" })).rejects.toThrow(
      /several images \(one\.tif and two\.tif\)/,
    );
  });

  it.each(FOLDERS)("agrees with the pages on $name", async (folder) => {
    const {
      platform = "visium",
      resolution,
      takes = {},
      channels = [],
      names = {},
      fault,
    } = folder;
    await put(...folder.files);
    const found = await findSampleFiles(root, { platform, resolution }).catch(
      (error: unknown) => error,
    );
    if (found instanceof InputError) {
      const reasons = fault === undefined ? [...Object.values(names), "missing"] : [fault];
      expect(reasons.filter((words) => found.message.includes(words))).not.toEqual([]);
    } else {
      const paths = samplePaths(found as SampleFiles).map((path) => relative(root, path));
      expect(paths.sort()).toEqual([...Object.values(takes), ...channels].sort());
      const sentences = (found as SampleFiles).leftOut?.map(({ sentence }) => sentence).join("\n");
      for (const words of Object.values(names)) expect(sentences).toContain(words);
    }
  });

  const data = resolve(import.meta.dirname, "../../../../../shared/data");
  it.runIf(existsSync(join(data, "visium-hd-layout")))("finds real folders", async () => {
    const v1 = join(data, "visium-hd-layout/seurat_visium_v1");
    expect((await findSampleFiles(v1, { platform: "visium" })).matrix.format).toBe("h5");
    const hd = join(data, "visium-hd-layout/seurat_visium_hd");
    const files = await findSampleFiles(hd, { platform: "hd_visium", resolution: "16" });
    expect(files.positions.format).toBe("parquet");
    await expect(
      findSampleFiles(join(data, "visium-hd-layout"), { platform: "visium" }),
    ).rejects.toThrow(/contains 3 samples/);
  });
});
