import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CancelledError } from "../../errors.ts";
import type { Read, ReadKey } from "../../views.ts";
import { clearStep, hasResult, readResult } from "../../store/results-folder.ts";
import { runStepOn } from "../../store/testing/run-step-on.ts";
import { writeSimulatedResults } from "../../store/testing/simulated-results.ts";
import { statisticsForAnnData, type UnsValue } from "../../exports/anndata/statistics-elements.ts";
import { STATISTICS_FILES } from "./spatial-statistics/write-tables.ts";
import { step as projectionAnalysis } from "./step.ts";

const N_CELLS = 240;
const PARAMS = { figureSidePx: 300, geneFigures: 0, permutations: 99 };

let folder: string;
let results: string;
let files: Awaited<ReturnType<typeof writeSimulatedResults>>["files"];
let outcome: Awaited<ReturnType<typeof runStepOn>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stipple-advanced-"));
  ({ results, files } = await writeSimulatedResults(folder, {
    cells: N_CELLS,
    spots: 20,
    genes: 40,
  }));
  outcome = await runStepOn(projectionAnalysis, results, files, {
    params: PARAMS,
    settings: { analysisType: "advanced" },
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function csv(name: string): Promise<string[][]> {
  const text = await readFile(join(results, "step6_output", name), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
}

function dict(value: UnsValue | undefined): Record<string, UnsValue> {
  return (value as { dict: Record<string, UnsValue> }).dict;
}

/** Contents by path of all files below a folder. */
async function contents(root: string): Promise<Map<string, Buffer>> {
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [relative(root, path), await readFile(path)] as const;
      }),
    ),
  );
}

describe("advanced run", () => {
  it("only adds to what a basic run writes", async () => {
    const home = await mkdtemp(join(tmpdir(), "stipple-basic-"));
    try {
      const basic = await writeSimulatedResults(home, { cells: N_CELLS, spots: 20, genes: 40 });
      await runStepOn(projectionAnalysis, basic.results, basic.files, { params: PARAMS });
      const before = await contents(basic.results);
      const after = await contents(results);
      const changed = [...before.keys()].filter(
        (path) => !after.get(path)?.equals(before.get(path)!),
      );
      // Lists of what there is, which name the additions.
      expect(changed.sort()).toEqual([
        "step6_output/sample.markers.json",
        "step6_output/step.json",
        "step6_output/viewer/manifest.json",
      ]);
      const tables = await readResult(basic.results, "sample/markers");
      expect((await readResult(results, "sample/markers")).slice(0, tables.length)).toEqual(tables);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });

  it("finds the stripes in which the types are arranged", async () => {
    const domains = await readResult(results, "cells/domain");
    const types = await readResult(results, "cells/cell_type");
    const { domains: summary } = await readResult(results, "sample/spatial_statistics");
    expect(summary!.cells.reduce((a, b) => a + b)).toBe(N_CELLS);
    // Most cells of each type share one domain.
    let agree = 0;
    for (let type = 0; type < 4; type++) {
      const counts = summary!.names.map(
        (_, domain) => domains.filter((d, cell) => d === domain && types[cell] === type).length,
      );
      agree += Math.max(...counts);
    }
    expect(agree / N_CELLS).toBeGreaterThan(0.85);
  });

  it("writes all tables with their headers, and the figures", async () => {
    const header = async (name: string): Promise<string> => (await csv(name))[0].join();
    expect(await header(STATISTICS_FILES.moran)).toMatch(/^gene,morans_i,z_score/);
    expect(await header(STATISTICS_FILES.enrichment)).toBe("cell_type,neighbor_type,edges,z_score");
    expect(await csv(STATISTICS_FILES.coOccurrence)).toHaveLength(1 + 4 * 4 * 25);
    expect(await csv(STATISTICS_FILES.domains)).toHaveLength(1 + N_CELLS);
    expect(await header(STATISTICS_FILES.typeMarkers)).toMatch(
      /^cell_type,tested_cells,tested_spots,gene/,
    );
    for (const name of [
      "spatial_domains",
      "domain_composition",
      "morans_i",
      "neighborhood_enrichment",
      "co_occurrence",
    ]) {
      for (const ending of ["png", "svg"]) {
        expect((await stat(join(results, `figures/${name}.${ending}`))).size).toBeGreaterThan(2000);
      }
    }
  });

  it("tests only reliable genes and observed cells", async () => {
    const statistics = await readResult(results, "sample/spatial_statistics");
    const reliable = await readResult(results, "genes/reliable");
    const names = await readResult(results, "genes/name");
    const observed = await readResult(results, "cells/observed");
    expect(statistics.testedGenes).toBe(reliable.filter((flag) => flag === 1).length);
    for (const gene of statistics.moran!.genes) expect(reliable[names.indexOf(gene)]).toBe(1);
    expect(statistics.testedCells).toBeLessThanOrEqual(
      observed.filter((flag) => flag === 1).length,
    );
    expect(statistics.testedCells).toBeGreaterThan(50);
  });

  it("reports when no known pair could be tested", () => {
    expect(outcome.warnings.join()).toMatch(/None of \d+ known ligand–receptor pairs/);
  });

  it("exposes elements under the scanpy and squidpy names", async () => {
    const elements = await statisticsForAnnData(readIfAny);
    expect(Object.keys(elements.uns).toSorted()).toEqual([
      "cell_type_co_occurrence",
      "cell_type_nhood_enrichment",
      "moranI",
      "rank_genes_groups",
      "rank_genes_groups_cluster",
      "rank_genes_groups_domain",
      "spatial_neighbors",
    ]);
    expect(elements.obs.map(({ name }) => name)).toEqual(["domain"]);
    const { spatial_connectivities: links, spatial_distances: distances } = elements.obsp;
    expect(links.nRows).toBe(N_CELLS);
    expect(new Set(links.data)).toEqual(new Set([1]));
    // Distances are in pixels, as obsm["spatial"].
    const xy = await readResult(results, "cells/xy");
    const other = distances.indices[0];
    expect(distances.data[0]).toBeCloseTo(
      Math.hypot(xy.data[0] - xy.data[2 * other], xy.data[1] - xy.data[2 * other + 1]),
      2,
    );
    const ranked = dict(elements.uns["rank_genes_groups"]);
    const fields = (name: string): Record<string, ArrayLike<unknown>> =>
      (ranked[name] as { records: Record<string, ArrayLike<unknown>> }).records;
    expect(Object.keys(fields("names"))).toEqual(Object.keys(fields("pvals_adj")));
    const lengths = Object.values(fields("names")).map(({ length }) => length);
    expect(new Set(lengths).size).toBe(1);
    const auc = elements.varm["auc_cell_type"];
    expect(auc.matrix.nRows).toBe(40);
    expect(auc.columns).toHaveLength(auc.matrix.nCols);
  });

  it("stops when canceled", async () => {
    await expect(
      runStepOn(projectionAnalysis, results, files, {
        params: PARAMS,
        settings: { analysisType: "advanced" },
        signal: AbortSignal.abort(),
      }),
    ).rejects.toBeInstanceOf(CancelledError);
  });
});

describe("basic run", () => {
  it("writes markers but no spatial statistics", async () => {
    await clearStep(results, 6, projectionAnalysis.folders);
    await runStepOn(projectionAnalysis, results, files, { params: PARAMS });
    expect(hasResult(results, "sample/markers")).toBe(true);
    expect(hasResult(results, "cells/domain")).toBe(false);
    expect(existsSync(join(results, "step6_output", STATISTICS_FILES.moran))).toBe(false);
    expect(existsSync(join(results, "figures/spatial_domains.png"))).toBe(false);
    const elements = await statisticsForAnnData(readIfAny);
    expect(elements.obsp).toEqual({});
    expect(Object.keys(elements.uns)).toEqual(["rank_genes_groups_cluster", "rank_genes_groups"]);
  });
});

async function readIfAny<K extends ReadKey>(key: K): Promise<Read<K> | null> {
  return hasResult(results, key) ? readResult(results, key) : null;
}
