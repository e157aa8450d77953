import { expect, it } from "vitest";
import { recognize } from "./recognize.ts";
import { candidate, describedFile } from "./testing/contents.ts";
import { FOLDERS } from "./testing/folders.ts";

it.each(FOLDERS)("tells apart $name", async (folder) => {
  const { platform = "visium", resolution, takes = {}, names = {}, channels = [], fault } = folder;
  const files = (await Promise.all(folder.files.map(describedFile))).map(candidate);
  const found = await recognize(files, { platform, resolution });
  const taken = Object.entries(found.files).map(([role, file]) => [role, file.path]);
  expect(Object.fromEntries(taken)).toEqual(fault && !folder.takes ? {} : takes);
  expect(found.channels.map(({ path }) => path)).toEqual(channels);
  const sentences = new Map(found.leftOut.map(({ file, sentence }) => [file.path, sentence]));
  for (const [path, words] of Object.entries(names)) {
    expect(sentences.get(path), path).toContain(words);
    expect(sentences.get(path)).toMatch(/^[^/]+\.$/);
  }
  const faults = found.faults.map(({ sentence }) => sentence).join("\n");
  if (fault === undefined) expect(faults).toBe("");
  else expect(faults).toContain(fault);
});

const H5 = "filtered_feature_bc_matrix.h5";
const RAW = ["barcodes.tsv", "features.tsv", "matrix.mtx"].map(
  (name) => `raw_feature_bc_matrix/${name}`,
);
it.each([
  ["the other form of the counts is taken", "visium", ["tissue_positions.csv", H5, ...RAW], []],
  [
    "no bins have the chosen size",
    "hd_visium",
    ["square_016um/tissue_positions.csv", `square_016um/${H5}`],
    [],
  ],
  ["nothing else can take its place", "visium", ["a_tissue_positions.csv", `b_${H5}`], [`b_${H5}`]],
] as const)("says what may be wanted where %s", async (_, platform, lines, wanted) => {
  const files = (await Promise.all(lines.map(describedFile))).map(candidate);
  const { leftOut } = await recognize(files, { platform });
  expect(leftOut.length).toBeGreaterThan(0);
  expect(leftOut.filter(({ matters }) => matters).map(({ file }) => file.path)).toEqual(wanted);
});

it("takes counts whose name starts with Probe, German for sample, but not those by probe", async () => {
  const names = ["Probe1_tissue_positions.csv", `Probe1_${H5}`, "Probe1_raw_probe_bc_matrix.h5"];
  const files = (await Promise.all(names.map(describedFile))).map(candidate);
  const found = await recognize(files, { platform: "visium" });
  expect(found.files.h5?.path).toBe(`Probe1_${H5}`);
  expect(found.leftOut.map(({ sentence }) => sentence)).toEqual([
    "Probe1_raw_probe_bc_matrix.h5 holds counts by probe, not by gene.",
  ]);
});

it.each(["raw_data", "raw_probe_data", "analysis", "cell_segmentation", "web_summary"])(
  "takes every file of a sample in a folder that its owner called %s",
  async (owners) => {
    const names = [
      H5,
      "spatial/tissue_positions.csv",
      "spatial/tissue_hires_image.png",
      "raw_feature_bc_matrix.h5",
    ];
    const files = await Promise.all(names.map((name) => describedFile(`mine/${owners}/${name}`)));
    const found = await recognize(files.map(candidate), { platform: "visium" });
    expect(found).toMatchObject({ faults: [], isRaw: false });
    const taken = Object.values(found.files).map(({ path }) => path.replace(`mine/${owners}/`, ""));
    expect(taken.sort()).toEqual(names.slice(0, 3).sort());
  },
);

it("quotes the first line of a table with fewer columns than positions have, and names those", async () => {
  const bytes = new TextEncoder().encode(",x,y,cell\n1,110.5,98.25,TTGACCATGACAACGT-1\n");
  const read = (start: number, end: number) => Promise.resolve(bytes.slice(start, end));
  const { leftOut } = await recognize([{ path: "tissue_positions.csv", read }], {
    platform: "visium",
  });
  expect(leftOut.map(({ sentence }) => sentence)).toEqual([
    'tissue_positions.csv is not the table of positions: its first line (",x,y,cell") has fewer than 5 columns; barcode, array_row, array_col, pxl_row_in_fullres, and pxl_col_in_fullres are needed; choose tissue_positions.csv or tissue_positions.parquet from Space Ranger\'s spatial folder.',
  ]);
});
