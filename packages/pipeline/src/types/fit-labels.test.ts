import { describe, expect, it } from "vitest";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import type { Reference } from "../reference/read-reference.ts";
import { fitLabels } from "./fit-labels.ts";
import { nearOwnSpot } from "./testing/spots-of-whole-cells.ts";

const LABELS = ["Acinar", "Beta", "Delta", "Absent"];
/** Labels that the tissue contains. */
const PRESENT = 3;
const PER_LABEL = 20;
const GENES = PER_LABEL * LABELS.length;
const PER_SPOT = 8;

/** UMIs of a cell: a label's own genes are raised eightfold. */
const level = (label: number, gene: number): number =>
  Math.floor(gene / PER_LABEL) === label ? 2 : 0.25;

const reference: Reference = {
  labels: LABELS,
  genes: Uint32Array.from({ length: GENES }, (_, g) => g),
  profiles: Float64Array.from({ length: LABELS.length * GENES }, (_, i) => {
    return level(Math.floor(i / GENES), i % GENES) / 55;
  }),
  description: null,
};

/** Spots whose cells are mostly of one label each; looks differ by `look`; the section captures odd genes a fifth as well. */
function section(nSpots: number, look: number) {
  const random = new Random(3);
  const nCells = nSpots * PER_SPOT;
  const typeOf = Int32Array.from({ length: nCells }, (_, cell) =>
    random.uniform() < 0.6 ? Math.floor(cell / PER_SPOT) % PRESENT : random.below(PRESENT),
  );
  const nCols = PRESENT + 1;
  const phi = { data: new Float32Array(nCells * nCols), nCols };
  typeOf.forEach((type, cell) => {
    phi.data[cell * nCols] = 1;
    for (let j = 0; j < PRESENT; j++) {
      phi.data[cell * nCols + 1 + j] = random.normal() + (type === j ? look : 0);
    }
  });
  const overlap: SparseMatrix = {
    nRows: nSpots,
    nCols: nCells,
    indptr: Uint32Array.from({ length: nSpots + 1 }, (_, s) => s * PER_SPOT),
    indices: Uint32Array.from({ length: nCells }, (_, i) => i),
    data: new Float32Array(nCells).fill(1),
  };
  const counts = Array.from({ length: GENES * nSpots }, (_, i) => {
    const [gene, spot] = [Math.floor(i / nSpots), i % nSpots];
    const cells = typeOf.subarray(spot * PER_SPOT, (spot + 1) * PER_SPOT);
    const mean = cells.reduce((sum, type) => sum + level(type, gene), 0);
    return random.poisson(gene % 2 === 0 ? mean : mean / 5);
  });
  const kept = [...counts.keys()].filter((i) => counts[i] > 0);
  const byGene: SparseMatrix = {
    nRows: GENES,
    nCols: nSpots,
    indptr: Uint32Array.from(
      { length: GENES + 1 },
      (_, g) => kept.filter((i) => i < g * nSpots).length,
    ),
    indices: Uint32Array.from(kept, (i) => i % nSpots),
    data: Float32Array.from(kept, (i) => counts[i]),
  };
  return {
    typeOf,
    spots: {
      overlap,
      byGene,
      efficiency: new Float32Array(nSpots).fill(1),
      phi,
      nLooks: PRESENT,
      penalty: Float64Array.from({ length: nCols }, (_, p) => (p === 0 ? 0 : 1)),
      near: nearOwnSpot(nCells, PER_SPOT),
      seed: 0,
    },
  };
}

async function rightOf(nSpots: number, look: number) {
  const { typeOf, spots } = section(nSpots, look);
  const found = await fitLabels(reference, spots, {
    species: "human",
    pause: () => Promise.resolve(),
    progress: () => undefined,
  });
  const width = LABELS.length + 1;
  const rows = Array.from(typeOf, (_, cell) =>
    found!.posterior.subarray(cell * width, (cell + 1) * width),
  );
  const likeliest = rows.map((row) => row.indexOf(Math.max(...row)));
  return {
    rows,
    report: found!.report,
    absent: likeliest.filter((label) => label === PRESENT).length / typeOf.length,
    right: likeliest.filter((label, cell) => label === typeOf[cell]).length / typeOf.length,
  };
}

describe("labels of a reference, fitted to spots", () => {
  it("follow looks, whatever the platforms capture, and leave out labels that are not there", async () => {
    const { right, absent, rows, report } = await rightOf(150, 2.5);
    expect(right).toBeGreaterThan(0.85);
    expect(absent).toBeLessThan(0.02);
    for (const row of rows) expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 4);
    expect(report.types.map(({ name }) => name)).toEqual(LABELS);
    expect(report.types[1].markers).toEqual(Array.from({ length: PER_LABEL }, (_, i) => 20 + i));
    expect(report.reference).toEqual({ labels: 4, genes: GENES });
  });

  it("follow each spot's counts where looks tell nothing", async () => {
    // A third would be right by chance, and 73% if every cell had its spot's main label.
    expect((await rightOf(150, 0)).right).toBeGreaterThan(0.5);
  });

  it("need twenty spots", async () => {
    const { spots } = section(19, 1);
    const options = { species: "human", pause: () => Promise.resolve() } as const;
    const found = fitLabels(reference, spots, { ...options, progress: () => undefined });
    expect(await found).toBeNull();
  });
});
