import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { belongsToPart, DOWNLOAD_PARTS, verdict, WITH_EVERY_ZIP } from "@stipple/contract";
import * as h5wasm from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CancelledError } from "../../errors.ts";
import { samplePaths, type SampleFiles } from "../../readers/sample-files.ts";
import { writeField } from "../../store/field-store.ts";
import { clearStep, readResult } from "../../store/results-folder.ts";
import { runStepOn } from "../../store/testing/run-step-on.ts";
import { writeSimulatedResults } from "../../store/testing/simulated-results.ts";

import { step as projectionAnalysis } from "../6-projection-analysis/step.ts";
import { step as finalization } from "./step.ts";

const [N_CELLS, N_SPOTS, N_GENES] = [200, 20, 50];

/** A reliable gene whose name would run as a script if it were not escaped. */
const [NASTY, NASTY_NAME] = [7, `<img src=x onerror="alert('x')">`];

let folder: string;
let results: string;
let files: SampleFiles;
let output: string;
let warnings: string[];

/** A file of annotations; its group was made on other cells. */
async function writeAnnotations(): Promise<string> {
  const path = join(folder, "own.json");
  const by = { author: "ada@example.org", at: "2026-01-02T03:04:05.000Z" };
  const group = { name: "Rim", color: "#0011cc", cells: "", assigned: null, cellsKey: "other" };
  const annotations = [
    { ...by, id: "n1", kind: "note", value: { text: NASTY_NAME, x: 100, y: 200 } },
    {
      ...by,
      id: "n2",
      kind: "name",
      value: { of: "type", group: "Neuron", label: "Granule cell" },
    },
    { ...by, id: "g1", kind: "group", value: group },
    ...[".", "T/NK", "T_NK"].map((name, at) => ({
      ...by,
      ...{ id: `l${at}`, kind: "genes", value: { name, genes: [`Gene${at}`] } },
    })),
  ];
  await writeFile(path, JSON.stringify({ format: "stipple annotations", version: 1, annotations }));
  return path;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-step7-"));
  ({ results, files } = await writeSimulatedResults(folder, {
    cells: N_CELLS,
    spots: N_SPOTS,
    genes: N_GENES,
  }));
  const scalefactors = await readFile(files.scalefactors!, "utf8");
  await writeFile(files.scalefactors!, `\ufeff${scalefactors.replace(/: ?([\d.]+)/g, ': "$1"')}`);
  await truncate(files.lowres!, 500);
  const names = await readResult(results, "genes/name");
  names[NASTY] = NASTY_NAME;
  await writeField(join(results, "step0_output"), "genes/name", names);
  await runStepOn(projectionAnalysis, results, files, {
    params: { figureSidePx: 100, geneFigures: 0 },
  });
  const annotations = await writeAnnotations();
  ({ warnings } = await runStepOn(
    finalization,
    results,
    { ...files, annotations },
    { params: { selfTest: false }, settings: { sampleName: "Kidney <3" } },
  ));
  output = join(results, "analysis_results/output");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function readJson(name: string): Promise<Record<string, never>> {
  return JSON.parse(await readFile(join(output, name), "utf8"));
}

describe("cell_expression_processed.h5ad", () => {
  let file: h5wasm.File;
  beforeAll(async () => {
    await h5wasm.ready;
    file = new h5wasm.File(join(output, "cell_expression_processed.h5ad"), "r");
  });
  afterAll(() => {
    file.close();
  });

  const dataset = (path: string): h5wasm.Dataset => file.get(path) as h5wasm.Dataset;
  const values = (path: string): ArrayLike<number> => dataset(path).value as Float32Array;
  const attribute = (path: string, name: string): unknown =>
    (file.get(path) as h5wasm.Group).attrs[name].json_value;

  it("declares the encoding of each element", () => {
    const encodings = {
      "/": ["anndata", "0.1.0"],
      obs: ["dataframe", "0.2.0"],
      "obs/cell_type": ["categorical", "0.2.0"],
      "obs/observed": ["array", "0.2.0"],
      "obs/evidence": ["categorical", "0.2.0"],
      "obs/image_quality": ["categorical", "0.2.0"],
      "var/rate_source": ["categorical", "0.2.0"],
      "obs/spot_id": ["string-array", "0.2.0"],
      var: ["dataframe", "0.2.0"],
      X: ["csr_matrix", "0.1.0"],
      "layers/counts": ["csr_matrix", "0.1.0"],
      obsm: ["dict", "0.1.0"],
      "obsm/spatial": ["array", "0.2.0"],
      "uns/stipple/version": ["string", "0.2.0"],
      "uns/stipple/verdict/grade": ["string", "0.2.0"],
      "uns/stipple/verdict/figures/reliableGenes": ["numeric-scalar", "0.2.0"],
      "uns/stipple/microns_per_pixel": ["numeric-scalar", "0.2.0"],
    };
    for (const [path, encoding] of Object.entries(encodings)) {
      expect([attribute(path, "encoding-type"), attribute(path, "encoding-version")]).toEqual(
        encoding,
      );
    }
  });

  it("has the scale factors, also as other programs save them", () => {
    const scalefactors = "uns/spatial/Kidney <3/scalefactors";
    const names = (file.get(scalefactors) as h5wasm.Group).keys();
    expect(names).toContain("tissue_hires_scalef");
    expect(names).toContain("capture_spot_diameter_fullres");
  });

  it("goes without a damaged picture, and says so", () => {
    expect((file.get("uns/spatial/Kidney <3/images") as h5wasm.Group).keys()).toEqual(["hires"]);
    expect(warnings.join()).toContain(
      "tissue_lowres_image.png is damaged, so the files for scanpy",
    );
  });

  it("has every list of genes, whatever its name", () => {
    const path = "uns/stipple/annotations/gene_lists";
    const names = (file.get(path) as h5wasm.Group).keys();
    expect(Object.fromEntries(names.map((name) => [name, values(`${path}/${name}`)]))).toEqual({
      _: ["Gene0"],
      T_NK: ["Gene1"],
      T_NK_2: ["Gene2"],
    });
  });

  it("stores booleans as h5py's enumeration", () => {
    const { enum_type } = dataset("obs/observed").metadata;
    expect(enum_type?.members).toEqual({ FALSE: 0, TRUE: 1 });
    expect(attribute("obs/cell_type", "ordered")).toBe(false);
    expect([...(dataset("obs/observed").value as Int8Array)].slice(0, 3)).toEqual([1, 0, 1]);
  });

  it("has the shapes of the data", () => {
    for (const path of ["X", "layers/counts", "layers/allocated", "layers/rate"]) {
      expect((attribute(path, "shape") as number[]).map(Number)).toEqual([N_CELLS, N_GENES]);
      expect(values(`${path}/indptr`)).toHaveLength(N_CELLS + 1);
    }
    expect(dataset("obsm/spatial").shape).toEqual([N_CELLS, 2]);
    expect(dataset("obs/_index").value).toHaveLength(N_CELLS);
    expect((dataset("obs/_index").value as string[])[0]).toBe("cell_1");
    expect(values("obsp/spatial_connectivities/indptr")).toHaveLength(N_CELLS + 1);
    expect(dataset("uns/spatial/Kidney <3/images/hires").shape).toEqual([600, 600, 3]);
  });

  it("conserves every gene's counts exactly", async () => {
    const spots = await readResult(results, "spots/counts");
    const rest = new Float64Array(N_GENES);
    spots.indices.forEach((gene, k) => (rest[gene] += spots.data[k]));
    const [indices, counts] = [
      values("layers/counts/indices") as Int32Array,
      values("layers/counts/data") as Int32Array,
    ];
    indices.forEach((gene, k) => (rest[gene] -= counts[k]));
    (dataset("var/unassigned").value as BigInt64Array).forEach(
      (count, gene) => (rest[gene] -= Number(count)),
    );
    expect([...rest]).toEqual(new Array(N_GENES).fill(0));
    expect(counts.length).toBeGreaterThan(100);
  });

  it("stores the model's rates to within 0.1%, and X as their logarithm scaled to 10,000", async () => {
    const rates = await readResult(results, "cells/rate");
    const row = await rates.rows([5]);
    const [from, to] = [values("X/indptr")[5], values("X/indptr")[6]];
    expect(to - from).toBe(N_GENES);
    const rate = Array.from({ length: N_GENES }, (_, g) => values("layers/rate/data")[from + g]);
    rate.forEach((value, g) => expect(Math.abs(value / row[g] - 1)).toBeLessThan(2 ** -10 + 1e-6));
    // The last fourteen bits are zero so that the values compress.
    expect(
      new Uint32Array(Float32Array.from(rate).buffer).every((bits) => bits % 2 ** 14 === 0),
    ).toBe(true);
    const x = Array.from({ length: N_GENES }, (_, g) => values("X/data")[from + g]);
    expect(x.reduce((sum, value) => sum + Math.expm1(value), 0)).toBeCloseTo(10_000, -1);
  });

  it("also has the model's factors, which give the rates of all genes", async () => {
    const { membership, profile } = (await readResult(results, "cells/rate")).parts;
    expect(values("obsm/prototypes")).toEqual(Float32Array.from(membership.data));
    const k = profile.nRows;
    expect(dataset("varm/prototypes").shape).toEqual([N_GENES, k]);
    expect(values("varm/prototypes")[3 * k + 1]).toBe(profile.data[N_GENES + 3]);
  });
});

describe("tables", () => {
  const csv = async (name: string): Promise<string[][]> =>
    (await readFile(join(output, name), "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => line.split(","));

  it("writes one line per cell", async () => {
    const lines = await csv("cell_metadata.csv");
    expect(lines[0].slice(0, 5)).toEqual(["index", "x", "y", "cell_type", "spot_id"]);
    expect(lines).toHaveLength(N_CELLS + 1);
    expect(lines[1].join()).toMatch(
      /^cell_1,[\d.]+,[\d.]+,Neuron,SPOT0-1,0,0\.\d+,0\.\d+,True,6,0\.1,78\.54,measured,blurred,Granule cell$/,
    );
    // Every tenth cell has no spot within reach.
    expect(lines[10].slice(3, 6)).toEqual(["Microglia", "", "2"]);
  });

  it("writes one line per gene, with an undefined correlation as an empty field", async () => {
    const [head, ...lines] = await csv("gene_reliability.csv");
    expect(head.slice(0, 7)).toEqual([
      "gene_id",
      "symbol",
      "name",
      "heldout_pcc",
      "reliable",
      "total_umis",
      "rate_cv",
    ]);
    expect(head.slice(-3)).toEqual(["cell_pcc", "cell_pcc_low", "cell_pcc_high"]);
    expect(lines[1].slice(-3)).toEqual(["0.0833", "-0.0167", "0.1833"]);
    expect(lines).toHaveLength(N_GENES);
    expect(lines[8].slice(0, 4)).toEqual(["ENSG00000000008", "Gene8", "Gene8", ""]);
    for (const line of lines) {
      expect(Number(line[7]) + Number(line[8])).toBe(Number(line[5]));
    }
  });

  it("counts spots, cells, and genes", async () => {
    expect(await readJson("statistics.json")).toMatchObject({
      total_spots: N_SPOTS,
      total_cells: N_CELLS,
      total_genes: N_GENES,
      // Every second cell is touched by a spot; cells that are only nearby do not count.
      average_cells_per_spot: N_CELLS / 2 / N_SPOTS,
      counts_from: "spots",
    });
  });

  it("has the same verdict in statistics and h5ad", async () => {
    const stored = verdict.parse((await readJson("statistics.json"))["verdict"]);
    expect(stored.figures).toMatchObject({
      cellsMeasured: 0.5,
      cellsInferred: 0.4,
      tissueBlurred: 0.02,
      tissueObscured: 0.01,
    });
    const file = new h5wasm.File(join(output, "cell_expression_processed.h5ad"), "r");
    const at = (path: string): unknown =>
      (file.get(`uns/stipple/verdict/${path}`) as h5wasm.Dataset).value;
    expect(at("grade")).toBe(stored.grade);
    expect(at("reasons/cells/sentence")).toBe(
      stored.reasons.find(({ topic }) => topic === "cells")!.sentence,
    );
    file.close();
  });

  it("gives the same cells per spot in statistics, table, and report", async () => {
    const { average_cells_per_spot } = await readJson("statistics.json");
    const [head, ...lines] = await csv("cell_metadata.csv");
    const measured = lines.filter((line) => line[head.indexOf("evidence")] === "measured");
    expect(measured.length / N_SPOTS).toBe(average_cells_per_spot);
    const report = await readFile(join(output, "report.html"), "utf8");
    const [, told] = /<b>([\d.]+)<\/b><span>cells per spot/.exec(report)!;
    expect(Number(told)).toBe(average_cells_per_spot);
  });
});

describe("Loupe Browser and Space Ranger", () => {
  it("gives each spot its cluster and its most common type", async () => {
    const clusters = (await readFile(join(output, "loupe/spot_clusters.csv"), "utf8")).split("\n");
    expect(clusters.slice(0, 2)).toEqual(["Barcode,Spot cluster", "SPOT0-1,Cluster 0"]);
    expect(clusters.at(-1)).toBe("");
    expect(clusters).toHaveLength(N_SPOTS + 2);
    const types = (await readFile(join(output, "loupe/spot_cell_types.csv"), "utf8")).split("\n");
    const { indptr } = await readResult(results, "spots/cells");
    const capturing = [...Array(N_SPOTS).keys()].filter((spot) => indptr[spot + 1] > indptr[spot]);
    expect(types.slice(1, -1).map((line) => line.split(",")[0])).toEqual(
      capturing.map((spot) => `SPOT${spot}-1`),
    );
  });

  it("offers outlines to Space Ranger only for HD slides", async () => {
    expect((await readdir(join(output, "loupe"))).sort()).toEqual([
      "spot_cell_types.csv",
      "spot_clusters.csv",
    ]);
  });
});

interface SegmentedCell {
  geometry: { coordinates: number[][][] };
  properties: { cell_id: number };
}

interface QuPathCell {
  id?: string;
  geometry: { coordinates: number[][][] };
  nucleusGeometry?: { coordinates: number[][][] };
  properties: {
    objectType: string;
    name: string;
    classification: { name: string; color?: number[] };
    measurements?: Record<string, number>;
  };
}

describe("QuPath", () => {
  const closed = (shape: { coordinates: number[][][] }): void => {
    const [ring] = shape.coordinates;
    expect(ring.length).toBeGreaterThanOrEqual(4);
    expect(ring.at(-1)).toEqual(ring[0]);
  };

  it("gets light cells with at most 300 bytes each and each class defined once", async () => {
    const { type, features } = await readJson("cells.geojson");
    expect(type).toBe("FeatureCollection");
    expect(features).toHaveLength(N_CELLS);
    const { size } = await stat(join(output, "cells.geojson"));
    expect(size / N_CELLS).toBeLessThan(300);
    const defined: string[] = [];
    for (const [i, { geometry, properties }] of (features as QuPathCell[]).entries()) {
      closed(geometry);
      expect(properties).toMatchObject({ objectType: "cell", name: `cell_${i + 1}` });
      if (properties.classification.color) defined.push(properties.classification.name);
      expect(defined).toContain(properties.classification.name);
    }
    expect(new Set(defined).size).toBe(defined.length);
  });

  it("gets detailed cells with nuclei, measurements, and identifiers", async () => {
    const { features } = JSON.parse(
      gunzipSync(await readFile(join(output, "cells_detailed.geojson.gz"))).toString("utf8"),
    ) as { features: QuPathCell[] };
    expect(features).toHaveLength(N_CELLS);
    for (const { geometry, nucleusGeometry, properties } of features) {
      closed(geometry);
      if (nucleusGeometry) closed(nucleusGeometry);
      expect(properties.classification.color).toHaveLength(3);
      expect(properties.measurements).toHaveProperty("Observed UMIs");
    }
    expect(features.filter(({ nucleusGeometry }) => nucleusGeometry)).toHaveLength(N_CELLS - 1);
    expect(new Set(features.map(({ id }) => id)).size).toBe(N_CELLS);
  });
});

describe("provenance", () => {
  it("records the checksums of the input, the steps, and the conservation of counts", async () => {
    const provenance = (await readJson("provenance.json")) as unknown as {
      input: { files: { file: string; sha256: string; bytes: number }[] };
      steps: { step: number; seconds: number }[];
      conservation: { exact: boolean };
      warnings: { step: number; message: string }[];
    };
    for (const [i, path] of samplePaths(files).entries()) {
      const bytes = await readFile(path);
      expect(provenance.input.files[i].sha256).toBe(
        createHash("sha256").update(bytes).digest("hex"),
      );
      expect(provenance.input.files[i].bytes).toBe(bytes.length);
    }
    expect(provenance.steps.map(({ step }) => step)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(provenance.steps[3].seconds).toBe(3.5);
    expect(provenance.conservation.exact).toBe(true);
    expect(provenance.warnings).toContainEqual({ step: 2, message: "Few nuclei were found." });
    // Of a damaged picture, and of annotations of other cells.
    const own = provenance.warnings.filter(({ step }) => step === 7);
    expect(own.map(({ message }) => message)).toEqual(warnings);
    expect(warnings).toHaveLength(2);
  });

  it("lists every export with its checksum in the step's own folder", async () => {
    const summary = JSON.parse(
      await readFile(join(results, "step7_output/summary.json"), "utf8"),
    ) as { exports: { file: string; sha256: string }[] };
    const files = (await readdir(output, { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile(),
    );
    expect(summary.exports).toHaveLength(files.length);
    expect(summary.exports.map(({ file }) => file)).toContain("spatialdata.zarr/zarr.json");
    const readme = summary.exports.find(({ file }) => file === "README.txt");
    const bytes = await readFile(join(output, "README.txt"));
    expect(readme?.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  });
});

it("writes only files that belong to exactly one part of a download, or explain all of them", async () => {
  const entries = await readdir(output, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(output.length + 1));
  const partsOf = (path: string) => DOWNLOAD_PARTS.filter((part) => belongsToPart(part, path));
  const alone = paths.filter((path) => !WITH_EVERY_ZIP.includes(path));
  expect(alone.filter((path) => partsOf(path).length !== 1)).toEqual([]);
  const used = new Set(alone.flatMap((path) => partsOf(path).map(({ id }) => id)));
  expect(DOWNLOAD_PARTS.filter(({ id }) => !used.has(id)).map(({ id }) => id)).toEqual([]);
});

describe("report.html", () => {
  let page: string;
  beforeAll(async () => {
    page = await readFile(join(output, "report.html"), "utf8");
  });

  it("says who annotated what, and what is left out because it belongs to other cells", () => {
    const section = /<section[^>]*id="annotations"[\s\S]*?<\/section>/.exec(page)![0];
    expect(section).toMatch(/Neuron[\s\S]*Granule cell[\s\S]*member 1[\s\S]*2026-01-02 03:04/);
    expect(section).toContain("&lt;img src=x");
    expect(section).toContain("<code>annotated_figures/showspatial_celltypes</code>");
    expect(section).not.toContain("umap_clusters");
    const types = /<section[^>]*id="types"[\s\S]*?<\/section>/.exec(page)![0];
    expect(types).toMatch(/Annotated[\s\S]*Neuron[\s\S]*?Granule cell/);
    expect(section).toContain("1 group, because they refer to cells of another result");
    expect(warnings.filter((warning) => warning.includes("own.json"))).toHaveLength(1);
  });

  it("gives the sizes of files as plain numbers, by which its tables are sorted", () => {
    const sizes = [...page.matchAll(/data-label="Size, kB"[^>]*>\s*<span>(.*?)<\/span>/g)];
    expect(sizes.length).toBeGreaterThan(2);
    for (const [, size] of sizes) expect(size).toMatch(/^[\d,]+$/);
  });

  it("has the figures of types with their annotated names", async () => {
    const svg = (name: string) =>
      readFile(join(output, "annotated_figures", `${name}.svg`), "utf8");
    for (const name of ["showspatial_celltypes", "umap_celltypes", "celltype_composition"]) {
      expect(await svg(name)).toContain("Granule cell");
      expect(await svg(name)).not.toContain(">Neuron");
    }
  });

  it("loads nothing, and runs only the script allowed by its policy", () => {
    expect(page).toContain("default-src &#39;none&#39;; img-src data:");
    expect(page).not.toMatch(/<link|<iframe|<object|javascript:/i);
    const scripts = [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/gi)].map(
      ([, text]) => text,
    );
    expect(scripts).toHaveLength(1);
    const hash = createHash("sha256").update(scripts[0]).digest("base64");
    expect(page).toContain(`script-src &#39;sha256-${hash}&#39;`);
    expect(page).not.toMatch(/https?:\/\//);
    for (const [, source] of page.matchAll(/\ssrc="([^"]*)"/g))
      expect(source).toMatch(/^data:image/);
    for (const [, target] of page.matchAll(/\shref="([^"]*)"/g)) expect(target).toMatch(/^#/);
    expect(page).not.toMatch(/url\(|@import/);
  });

  it("shows names from the data as text", () => {
    expect(page).not.toContain("<img src=x");
    expect(page).toContain("&lt;img src=x onerror=&quot;alert(&#39;x&#39;)&quot;&gt;");
  });

  it("starts with the verdict and repeats none of it", async () => {
    const { verdict } = JSON.parse(await readFile(join(output, "statistics.json"), "utf8")) as {
      verdict: { grade: string; reasons: { sentence: string }[] };
    };
    expect(page.indexOf(`class="verdict ${verdict.grade}"`)).toBeLessThan(
      page.indexOf('class="tiles"'),
    );
    const text = page.replaceAll(/\s+/g, " ");
    for (const { sentence } of verdict.reasons) {
      const escaped = sentence.replaceAll("<", "&lt;").replaceAll("'", "&#39;");
      expect(text.split(escaped)).toHaveLength(2);
    }
  });

  it("reports conservation, warnings, and reliable genes", () => {
    expect(page).toContain("Conserved exactly, gene by gene");
    expect(page).toContain("Few nuclei were found.");
    expect(page).toMatch(/Step 7, Finalization\.<\/strong>\s*tissue_lowres_image.png is damaged/);
    expect(page).toContain("Gene9");
    expect(page).toContain("What not to conclude");
    expect(page).toContain("predict expression better than shuffled ones do");
  });

  it("has the sample's own name as its heading", () => {
    expect(page).toContain("<h1>Kidney &lt;3</h1>");
  });

  it("links only to sections that exist", () => {
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
  });
});

it("stops when canceled", async () => {
  const controller = new AbortController();
  const running = runStepOn(finalization, results, files, {
    params: { selfTest: false },
    signal: controller.signal,
  });
  controller.abort();
  await expect(running).rejects.toBeInstanceOf(CancelledError);
});

describe("HD slide", () => {
  beforeAll(async () => {
    const [first, , , ...others] = await readResult(results, "types/name");
    const names = [first, "T/NK", "T_NK", ...others];
    await writeField(join(results, "step5_output"), "types/name", names);
    await clearStep(results, finalization.number, finalization.folders);
    await runStepOn(finalization, results, files, {
      params: { selfTest: false },
      settings: { platform: "hd_visium", resolution: "8" },
    });
  });

  it("writes closed polygons with integer cell_ids", async () => {
    for (const [name, count] of [
      ["cell", N_CELLS],
      ["nucleus", N_CELLS - 1],
    ] as const) {
      const { type, features } = await readJson(`loupe/${name}_segmentations.geojson`);
      expect(type).toBe("FeatureCollection");
      const ids = (features as SegmentedCell[]).map(({ geometry, properties }) => {
        const [ring] = geometry.coordinates;
        expect(ring.length).toBeGreaterThanOrEqual(4);
        expect(ring.at(-1)).toEqual(ring[0]);
        return properties.cell_id;
      });
      expect(ids).toEqual(Array.from({ length: count }, (_, i) => i + 1));
    }
    const types = await readFile(join(output, "loupe/segmented_cell_types.csv"), "utf8");
    expect(types.split("\n")[1]).toBe("cellid_000000001-1,Neuron");
  });

  it("writes the types of a reference that are one key in HDF5", () => {
    const file = new h5wasm.File(join(output, "cell_expression_processed.h5ad"), "r");
    const columns = (file.get("varm/auc_cell_type") as h5wasm.Group).keys();
    const names = (file.get("obs/cell_type/categories") as h5wasm.Dataset).value;
    file.close();
    expect(columns).toEqual(expect.arrayContaining(["T_NK", "T_NK_2"]));
    expect(names).toEqual(expect.arrayContaining(["T/NK", "T_NK"]));
  });
});

describe("when spots are treated as cells", () => {
  beforeAll(async () => {
    const segmentation = await readResult(results, "sample/segmentation");
    await writeField(join(results, "step2_output"), "sample/segmentation", {
      ...segmentation,
      method: "spot_level",
      fallbackReason: "The sample has no tissue image.",
      nNuclei: 0,
    });
    await clearStep(results, finalization.number, finalization.folders);
    await runStepOn(finalization, results, files, { params: { selfTest: false } });
  });

  it("states this first in the report and README", async () => {
    const page = await readFile(join(output, "report.html"), "utf8");
    expect(page).toContain("These results are for whole spots, not single cells.");
    expect(page).toContain("The sample has no tissue image.");
    const readme = await readFile(join(output, "README.txt"), "utf8");
    expect(readme).toContain("these are NOT single cells");
    expect(readme).toContain("these results are not for single cells");
  });

  it("names rows and shapes as spots, and does not offer cells to QuPath or Space Ranger", async () => {
    expect((await readdir(join(output, "spatialdata.zarr/shapes"))).sort()).toEqual([
      "spot_outlines",
      "spots",
      "zarr.json",
    ]);
    const { features } = await readJson("cells.geojson");
    const [first] = features as QuPathCell[];
    expect(first.properties.objectType).toBe("detection");
    expect(first.nucleusGeometry).toBeUndefined();
    expect((await readdir(join(output, "loupe"))).sort()).toEqual([
      "spot_cell_types.csv",
      "spot_clusters.csv",
    ]);
    const file = new h5wasm.File(join(output, "cell_expression_processed.h5ad"), "r");
    expect((file.get("uns/stipple/rows") as h5wasm.Dataset).value).toBe("spots");
    file.close();
  });
});
