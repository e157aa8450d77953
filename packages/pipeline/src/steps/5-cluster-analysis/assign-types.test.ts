import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { Random } from "../../numerics/random.ts";
import type { SpotEvidence } from "../../types/anchored-types.ts";
import { assignTypes } from "./assign-types.ts";
import type { TypingInput } from "./typing-input.ts";
import { spotsOfWholeCells } from "../../types/testing/spots-of-whole-cells.ts";
import { BROAD_SETS } from "../../markers/broad.ts";
import { MARKER_SETS } from "../../markers/index.ts";
import type { MarkerSet } from "../../markers/marker-set.ts";
import { mouseSymbols } from "../../markers/mouse-symbols.ts";

const options = { signal: new AbortController().signal, progress: () => undefined };
const CELLS = 40;
const REFERENCE = resolve(
  import.meta.dirname,
  "../../../../../../shared/data/scrna-pbmc-reference/pbmc68k.h5ad",
);

function setOf(name: string): MarkerSet {
  return MARKER_SETS.find((set) => set.name === name)!;
}

/** `CELLS` cells of each named type, with their own markers raised above noise; one cluster per type. */
function planted(types: readonly string[], species: "human" | "mouse" = "human"): TypingInput {
  const random = new Random(3);
  const sets = types.map(setOf);
  const spell = (symbol: string): string =>
    species === "mouse" ? mouseSymbols(symbol)[0] : symbol;
  const all = MARKER_SETS.filter(({ parent }) => parent === undefined);
  const symbols = [...new Set(all.flatMap(({ markers }) => markers.map(spell)))];
  for (let i = 0; i < 100; i++) symbols.push(spell(`FAKE${i}A`));
  const own = sets.map(({ markers }) => new Set(markers.map(spell)));
  const nCells = types.length * CELLS;
  const clusters = Int32Array.from({ length: nCells }, (_, cell) => Math.floor(cell / CELLS));
  const table = symbols.map((symbol) =>
    Float32Array.from(clusters, (type) => {
      const level = own[type].has(symbol) ? 1.5 : 0.15;
      return level * Math.exp(0.4 * random.normal());
    }),
  );
  return {
    nCells,
    symbols,
    ids: symbols.map(() => ""),
    reliable: new Uint8Array(symbols.length).fill(1),
    rates: { column: (gene) => table[gene] },
    clusters,
    nClusters: types.length,
  };
}

const BREAST = [
  "Tumor epithelial",
  "Luminal epithelial",
  "Myoepithelial",
  "Fibroblast",
  "Endothelial",
  "T cell",
  "B cell",
  "Macrophage",
];
const BRAIN = [
  "Excitatory neuron",
  "Inhibitory neuron",
  "Astrocyte",
  "Oligodendrocyte",
  "OPC",
  "Microglia",
  "Pericyte",
];

/** Counts of spots with four cells of one type each. */
function countsOf(
  { nCells, symbols, rates }: TypingInput,
  random = new Random(4),
): Pick<TypingInput, "sample"> & { counted: ReturnType<typeof spotsOfWholeCells> } {
  const table = symbols.map((_, gene) => rates.column(gene));
  const size = { nSpots: nCells / 4, perSpot: 4, nGenes: symbols.length };
  return {
    counted: spotsOfWholeCells(size, (gene, cell) => table[gene][cell], random),
    sample: { lookGain: null, spots: size.nSpots, bins: false },
  };
}

/** Spots of four cells of one type each, and a distinct look for every type. */
function spotsOf(input: TypingInput): SpotEvidence {
  const { nCells, clusters, nClusters } = input;
  const random = new Random(4);
  const { counted } = countsOf(input, random);
  const nCols = nClusters + 1;
  const data = Float32Array.from({ length: nCells * nCols }, (_, i) => {
    const [cell, j] = [Math.floor(i / nCols), i % nCols];
    return j === 0 ? 1 : random.normal() + (clusters[cell] === j - 1 ? 3 : 0);
  });
  const penalty = new Float64Array(nCols).fill(1, 1);
  const efficiency = new Float32Array(counted.overlap.nRows).fill(1);
  return { ...counted, efficiency, phi: { data, nCols }, nLooks: nClusters, penalty };
}

async function accuracy(input: TypingInput, types: readonly string[]): Promise<number> {
  const { names, cellType } = await assignTypes(input, options);
  const right = cellType.filter((type, cell) => names[type] === types[input.clusters[cell]]);
  return right.length / input.nCells;
}

describe("assigning types", () => {
  it.each([
    ["breast", "human", BREAST],
    ["brain", "mouse", BRAIN],
    ["kidney", "human", ["Proximal tubule", "Loop of Henle", "Podocyte", "Endothelial"]],
    ["placenta", "mouse", ["Spongiotrophoblast", "Trophoblast giant cell", "Erythroid"]],
  ] as const)("names cells of %s (%s) and the tissue", async (tissue, species, types) => {
    const input = planted(types, species);
    const { report } = await assignTypes({ ...input, ...countsOf(input) }, options);
    expect(report).toMatchObject({ tissue, species });
    expect(await accuracy({ ...input, tissue }, types)).toBeGreaterThan(0.95);
  });

  it("gives each cell a name, sorts names by frequency, and assigns distinct colors", async () => {
    const { names, colors, cellType, confidence, margin, report } = await assignTypes(
      { ...planted([...BREAST, "T cell"]), tissue: "breast" },
      options,
    );
    expect(names[0]).toBe("T cell");
    expect(names).toHaveLength(colors.length);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(colors).size).toBe(colors.length);
    expect(colors.every((color) => /^#[0-9A-F]{6}$/.test(color))).toBe(true);
    expect(cellType.every((type) => type >= 0 && type < names.length)).toBe(true);
    expect(confidence.every((value) => value >= 0 && value <= 1)).toBe(true);
    expect(margin.every((value, cell) => value >= 0 && value <= confidence[cell])).toBe(true);
    expect(report.markersFound["T cell"]).toContain("CD3D");
  });

  it("leaves most cells unknown when symbols are uninformative", async () => {
    const input = planted(BREAST);
    const order = Uint32Array.from(input.symbols.keys());
    new Random(5).shuffle(order);
    const symbols = Array.from(order, (gene) => input.symbols[gene]);
    const { names, cellType, report } = await assignTypes({ ...input, symbols }, options);
    expect(report.unknownFraction).toBeGreaterThan(0.6);
    expect(names.at(-1)).toBe("Unknown");
    const unknown = cellType.filter((type) => type === names.length - 1).length;
    expect(unknown / input.nCells).toBeCloseTo(report.unknownFraction, 9);
  });

  it("leaves all cells unknown when there are no markers", async () => {
    const input = planted(BREAST);
    const symbols = input.symbols.map((_, i) => `NOVEL${i}`);
    const { names, colors, report } = await assignTypes({ ...input, symbols }, options);
    expect([names, colors]).toEqual([["Unknown"], ["#C9D1DA"]]);
    expect(report.tissue).toBe("unknown");
  });

  it("guesses the tissue from the spots' counts, whatever the inferred rates are", async () => {
    const kidney = planted(["Proximal tubule", "Loop of Henle", "Podocyte", "Endothelial"]);
    const breast = planted(["Luminal epithelial", "Myoepithelial", "Fibroblast", "Endothelial"]);
    const { report } = await assignTypes({ ...kidney, ...countsOf(breast) }, options);
    expect(report.tissue).toBe("breast");
  });

  it("uses unreliable markers only when there are no others", async () => {
    const input = { ...planted(BREAST), tissue: "breast" } as const;
    const own = new Set(BREAST.flatMap((name) => setOf(name).markers));
    const reliable = Uint8Array.from(input.symbols, (symbol) => (own.has(symbol) ? 0 : 1));
    expect(await accuracy({ ...input, reliable }, BREAST)).toBeGreaterThan(0.9);
  });

  it("names only lineages, with less confidence, when hardly any gene is reliable", async () => {
    const input = { ...planted(BREAST), tissue: "breast", reliable: new Uint8Array(5000) } as const;
    const { names, cellType, confidence } = await assignTypes(input, options);
    const lineages = BREAST.map((name) => setOf(name).lineage);
    const right = input.clusters.filter((type, cell) => names[cellType[cell]] === lineages[type]);
    expect(right.length / input.nCells).toBeGreaterThan(0.9);
    expect(names.filter((name) => BREAST.includes(name) && !lineages.includes(name))).toEqual([]);
    expect(Math.max(...confidence)).toBeLessThanOrEqual(0.601);
  });

  describe("when fitted to spots and hardly any gene is reliable", () => {
    const types = ["Fibroblast", "Endothelial", "T cell", "Macrophage"];
    const given = { ...planted(types), reliable: new Uint8Array(5000) };
    const named = (lookGain: number | null) =>
      assignTypes(
        { ...given, spots: spotsOf(given), sample: { lookGain, spots: 60, bins: false } },
        options,
      );

    it("names types, with less confidence, when looks are informative", async () => {
      const { names, cellType, confidence } = await named(0.05);
      const right = cellType.filter((type, cell) => names[type] === types[given.clusters[cell]]);
      expect(right.length / given.nCells).toBeGreaterThan(0.8);
      // Unknown cells have no confidence.
      const stated = confidence.filter((value) => !Number.isNaN(value));
      expect(Math.max(...stated)).toBeLessThanOrEqual(0.601);
    });

    it.each([null, 0.01])("names lineages when looks add %s to held-out spots", async (gain) => {
      const { names, cellType } = await named(gain);
      const lineages = types.map((name) => setOf(name).lineage);
      const right = cellType.filter((type, cell) => names[type] === lineages[given.clusters[cell]]);
      expect(right.length / given.nCells).toBeGreaterThan(0.8);
      expect(names).not.toContain("T cell");
    });
  });

  it("names lineages by their spots when a small panel contains no type's markers", async () => {
    const lineages = ["Endothelial", "Epithelial", "Lymphocyte"];
    const timesListed = (symbol: string): number =>
      MARKER_SETS.filter(({ markers }) => markers.includes(symbol)).length;
    // Two markers of a type do not make it a candidate, so nothing but the lineages' genes can tell.
    const symbols = lineages.flatMap((lineage) => {
      const broad = BROAD_SETS.find(({ name }) => name === lineage)!.markers;
      return [...broad].sort((a, b) => timesListed(a) - timesListed(b)).slice(0, 6);
    });
    const typeOf = Int32Array.from({ length: 3 * CELLS }, (_, cell) => Math.floor(cell / CELLS));
    const table = symbols.map((_, gene) =>
      Float32Array.from(typeOf, (type) => (type === Math.floor(gene / 6) ? 1.5 : 0.15)),
    );
    const planted = {
      nCells: typeOf.length,
      symbols,
      ids: symbols.map(() => ""),
      reliable: new Uint8Array(symbols.length).fill(1),
      rates: { column: (gene: number) => table[gene] },
      clusters: typeOf,
      nClusters: 3,
    };
    const spots = spotsOf(planted);
    // Clusters are uninformative.
    const input = { ...planted, spots, clusters: new Int32Array(typeOf.length), nClusters: 1 };
    const { names, cellType } = await assignTypes(input, options);
    const right = cellType.filter((type, cell) => names[type] === lineages[typeOf[cell]]);
    expect(right.length / typeOf.length).toBeGreaterThan(0.8);
  });

  it("names types in bins even if hardly any gene is reliable, as held-out bins have too few UMIs to tell", async () => {
    const sample = { lookGain: 0, spots: 2500, bins: true };
    const input = {
      ...planted(BREAST),
      tissue: "breast",
      reliable: new Uint8Array(5000),
      sample,
    } as const;
    expect(await accuracy(input, BREAST)).toBeGreaterThan(0.9);
  });

  describe("when types were fitted to the spots", () => {
    const input = planted(BREAST);
    const nCols = BREAST.length + 1;
    const genesOf = (name: string): number[] =>
      (MARKER_SETS.find((set) => set.name === name)?.markers ?? []).flatMap((symbol) => {
        const gene = input.symbols.indexOf(symbol);
        return gene < 0 ? [] : [gene];
      });
    /** Certain posteriors; cells of cluster i are of the type before their own. */
    const posterior = new Float32Array(input.nCells * nCols);
    input.clusters.forEach((cluster, cell) => {
      posterior[cell * nCols + ((cluster + BREAST.length - 1) % BREAST.length)] = 1;
    });
    const fitted = (types: readonly string[]): TypingInput["fitted"] => ({
      report: {
        species: "human",
        tissue: "breast",
        tissueScores: { breast: 3 },
        candidates: [...types],
        types: types.map((name) => ({ name, markers: genesOf(name) })),
      },
      posterior,
      ofHalves: posterior,
    });

    it("takes names and tissue from them, whatever the cells' own rates show", async () => {
      const { names, cellType, report } = await assignTypes(
        { ...input, fitted: fitted(BREAST) },
        options,
      );
      expect(report).toMatchObject({ tissue: "breast", tissueScores: { breast: 3 } });
      const before = BREAST.map((_, i) => BREAST[(i + BREAST.length - 1) % BREAST.length]);
      const right = cellType.filter((type, cell) => names[type] === before[input.clusters[cell]]);
      expect(right.length).toBe(input.nCells);
      // The step's own field must stay as it was.
      expect(new Set(posterior)).toEqual(new Set([0, 1]));
    });

    it("names cells by their rates if a fitted type is unknown", async () => {
      const unknown = fitted(["Martian", ...BREAST.slice(1)]);
      expect(await accuracy({ ...input, fitted: unknown }, BREAST)).toBeGreaterThan(0.95);
    });
  });

  it("stops when canceled", async () => {
    const signal = AbortSignal.abort();
    await expect(assignTypes(planted(BREAST), { ...options, signal })).rejects.toThrow("canceled");
  });

  it.runIf(existsSync(REFERENCE))("names labeled blood cells", async () => {
    const { pbmc } = await import("../../../../../lab/bench/typing-datasets.ts");
    const { input, labels, accepted } = await pbmc(REFERENCE);
    const { names, cellType } = await assignTypes(input, options);
    const right = labels.filter((label, cell) =>
      accepted.get(label)?.includes(names[cellType[cell]]),
    );
    expect(right.length / labels.length).toBeGreaterThan(0.65);
  });
});
