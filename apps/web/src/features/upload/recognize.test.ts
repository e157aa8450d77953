import { platformById } from "@stipple/contract/platforms/index";
import { describe, expect, it } from "vitest";
import { refusals } from "../../texts/upload.ts";
import { acceptAttribute, assignFiles, isSmallImage, slotRefusal } from "./recognize.ts";

const SLOTS = platformById("visium").slots;

function named(...paths: string[]) {
  return paths.map((path) => ({ path }));
}

function slots(paths: string[], bin?: "8" | "16") {
  const { matched } = assignFiles(named(...paths), SLOTS, bin);
  return Object.fromEntries(matched.map(({ slot, file }) => [slot.id, file.path]));
}

const slot = (id: string) => SLOTS.find((candidate) => candidate.id === id)!;

describe("assignFiles", () => {
  it("accepts Space Ranger's cells if chosen explicitly, not from a whole folder", () => {
    expect(slots(["cell_segmentations.geojson"])).toEqual({ cells: "cell_segmentations.geojson" });
    expect(
      slots([
        "outs/segmented_outputs/cell_segmentations.geojson",
        "graphclust_annotated_cell_segmentations.geojson",
      ]),
    ).toEqual({});
  });

  it("picks the nine files from a Space Ranger folder and ignores the rest", () => {
    const paths = [
      "outs/filtered_feature_bc_matrix/barcodes.tsv.gz",
      "outs/filtered_feature_bc_matrix/features.tsv.gz",
      "outs/filtered_feature_bc_matrix/matrix.mtx.gz",
      "outs/raw_feature_bc_matrix/barcodes.tsv.gz",
      "outs/raw_feature_bc_matrix/matrix.mtx.gz",
      "outs/raw_feature_bc_matrix.h5",
      "outs/molecule_info.h5",
      "outs/filtered_feature_bc_matrix.h5",
      "outs/spatial/tissue_positions.csv",
      "outs/spatial/tissue_hires_image.png",
      "outs/spatial/tissue_lowres_image.png",
      "outs/spatial/scalefactors_json.json",
      "outs/spatial/detected_tissue_image.jpg",
      "outs/spatial/cytassist_image.tiff",
      "outs/web_summary.html",
      "outs/tissue.btf",
    ];
    expect(slots(paths)).toEqual({
      barcodes: "outs/filtered_feature_bc_matrix/barcodes.tsv.gz",
      features: "outs/filtered_feature_bc_matrix/features.tsv.gz",
      matrix: "outs/filtered_feature_bc_matrix/matrix.mtx.gz",
      h5: "outs/filtered_feature_bc_matrix.h5",
      positions: "outs/spatial/tissue_positions.csv",
      hires: "outs/spatial/tissue_hires_image.png",
      lowres: "outs/spatial/tissue_lowres_image.png",
      scale: "outs/spatial/scalefactors_json.json",
      he_image: "outs/tissue.btf",
    });
    const { refused, ignored } = assignFiles(named(...paths), SLOTS);
    expect(refused).toEqual([]);
    expect(ignored).toBe(7);
  });

  it("picks the bins of the chosen resolution", () => {
    const paths = ["002", "008", "016"].flatMap((bin) => [
      `outs/binned_outputs/square_${bin}um/filtered_feature_bc_matrix.h5`,
      `outs/binned_outputs/square_${bin}um/spatial/tissue_positions.parquet`,
    ]);
    expect(slots(paths, "16").h5).toContain("square_016um");
    expect(slots(paths, "8").positions).toContain("square_008um");
    expect(slots(paths).h5).toContain("square_008um");
  });

  it("includes 2 µm bins where the platform has a slot for them", () => {
    const hd = platformById("hd_visium").slots;
    const files = named(
      ...["002", "008", "016"].flatMap((bin) => [
        `outs/binned_outputs/square_${bin}um/filtered_feature_bc_matrix.h5`,
        `outs/binned_outputs/square_${bin}um/raw_feature_bc_matrix.h5`,
        `outs/binned_outputs/square_${bin}um/spatial/tissue_positions.parquet`,
      ]),
    );
    const { matched, refused, otherSamples } = assignFiles(files, hd, "16");
    expect(matched.map(({ slot, file }) => [slot.id, file.path.split("/")[2]])).toEqual([
      ["h5", "square_016um"],
      ["positions", "square_016um"],
      ["fine_bins", "square_002um"],
    ]);
    expect([refused, otherSamples]).toEqual([[], []]);
    const alone = assignFiles(named("Square_002um.h5", "filtered_feature_bc_matrix.h5"), hd, "8");
    expect(alone.matched.map(({ slot }) => slot.id)).toEqual(["h5", "fine_bins"]);
  });

  const outs = (root: string, ...names: string[]) => names.map((name) => `${root}/${name}`);
  const h5 = "filtered_feature_bc_matrix.h5";
  const positions = "spatial/tissue_positions.csv";
  const hires = "spatial/tissue_hires_image.png";

  it("picks the files of one sample, and names the folders of others", () => {
    const files = [
      ...outs("run/A/outs", positions, hires),
      ...outs("run/B/outs", h5, positions, hires),
      ...outs("run/B", "b.tif"),
      ...outs("run/A", "a.tif"),
      ...outs("run/C/outs", h5),
      "mine.h5ad",
    ];
    expect(slots(files)).toEqual({
      h5: "run/B/outs/filtered_feature_bc_matrix.h5",
      positions: "run/B/outs/spatial/tissue_positions.csv",
      hires: "run/B/outs/spatial/tissue_hires_image.png",
      he_image: "run/B/b.tif",
      reference: "mine.h5ad",
    });
    expect(assignFiles(named(...files), SLOTS)).toMatchObject({
      refused: [],
      ignored: 0,
      otherSamples: ["run/A/outs", "run/C/outs"],
    });
    // Of two identical samples, the first.
    const twins = [...outs("A/outs", h5, positions), ...outs("B/outs", h5, positions, "b.tif")];
    expect(Object.values(slots(twins))).toEqual(outs("A/outs", h5, positions));
  });

  it("assembles a sample from folders with different files", () => {
    const files = [
      ...outs("data/counts", "barcodes.tsv.gz", "features.tsv.gz", "matrix.mtx.gz"),
      "data/spots/tissue_positions.csv",
      "data/images/tissue.tif",
      "data/images/second.tif",
    ];
    const { matched, refused, otherSamples } = assignFiles(named(...files), SLOTS);
    expect(matched).toHaveLength(5);
    expect(otherSamples).toEqual([]);
    expect(refused).toEqual([
      { path: "data/images/second.tif", reason: refusals.secondFile("Histology image") },
    ]);
  });

  it.each(["analysis", "deconvolution", "raw_feature_bc_matrix", "cell_segmentation"])(
    "tolerates a user folder named %s",
    (folder) => {
      const files = outs(`${folder}/outs`, h5, positions);
      expect(Object.values(slots(files))).toEqual(files);
    },
  );

  it.each([
    ["slide.tiff", refusals.tiff],
    ["slide.ome.tiff", refusals.tiff],
    ["slide.svs", refusals.slideFormat],
    ["matrix.mtx", refusals.notCompressed],
    ["barcodes.tsv", refusals.notCompressed],
    ["outs.zip", refusals.archive],
    ["tissue_hires_image.jpg", refusals.notPng],
    ["raw_feature_bc_matrix.h5", refusals.otherMatrix],
    ["notes.docx", refusals.unknown],
  ])("rejects %s and says why", (path, reason) => {
    expect(assignFiles(named(path), SLOTS).refused).toEqual([{ path, reason }]);
  });

  it("keeps the first of two files for one slot and rejects the second", () => {
    const { matched, refused } = assignFiles(named("a.tif", "b.tif"), SLOTS);
    expect(matched.map(({ file }) => file.path)).toEqual(["a.tif"]);
    expect(refused[0]?.reason).toContain("Histology image");
  });
});

describe("a slot's own file input", () => {
  it("accepts any name with the right extension, but not another slot's file", () => {
    expect(slotRefusal(SLOTS, slot("h5"), "my sample.H5")).toBeUndefined();
    expect(slotRefusal(SLOTS, slot("positions"), "spots.csv")).toBeUndefined();
    expect(slotRefusal(SLOTS, slot("barcodes"), "features.tsv.gz")).toBe(
      refusals.belongsElsewhere("Features"),
    );
    expect(slotRefusal(SLOTS, slot("he_image"), "slide.tiff")).toContain("Rename");
    expect(slotRefusal(SLOTS, slot("matrix"), "matrix.txt")).toBe("Matrix accepts .mtx.gz files.");
  });

  it("requests extensions that the picker understands", () => {
    expect(acceptAttribute(slot("barcodes"))).toBe(".tsv.gz,.gz");
    expect(acceptAttribute(slot("he_image"))).toBe(".tif,.btf");
  });

  it("warns below 100 MB, only for the histology image", () => {
    expect(isSmallImage(slot("he_image"), { size: 100 * 1024 * 1024 - 1 })).toBe(true);
    expect(isSmallImage(slot("he_image"), { size: 100 * 1024 * 1024 })).toBe(false);
    expect(isSmallImage(slot("hires"), { size: 1 })).toBe(false);
  });
});
