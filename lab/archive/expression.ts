import { parseArgs } from "node:util";
import { Random } from "@stipple/numerics/random";
import {
  accuracy,
  baselines,
  trueTypesFitted,
  type Accuracy,
} from "@stipple/pipeline/internal/steps/4-vector-transformation/testing/accuracy";
import type { Rates } from "@stipple/pipeline/internal/model/rates";
import { step as vectorTransformation } from "@stipple/pipeline/internal/steps/4-vector-transformation/step";
import {
  syntheticFields,
  syntheticTissue,
} from "@stipple/pipeline/internal/steps/4-vector-transformation/testing/synthetic-tissue";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import {
  ratesOfFields,
  runInMemory,
  type InMemoryRun,
} from "@stipple/pipeline/internal/store/in-memory";

/**
 * Step 4 alone, with perfect segmentation: its accuracy compared with baselines, or with --large its time and memory.
 *
 *   node lab/archive/expression.ts --side 1500 --seeds 1,2 --morphology 1,0.5,0
 *   node lab/archive/expression.ts --large --cells 50000 --spots 5000 --genes 18000 --per-spot 4000
 */
const { values } = parseArgs({
  options: {
    side: { type: "string", default: "1500" },
    seeds: { type: "string", default: "1,2" },
    morphology: { type: "string", default: "1,0.5,0" },
    genes: { type: "string" },
    "analysis-type": { type: "string", default: "basic" },
    large: { type: "boolean", default: false },
    cells: { type: "string", default: "50000" },
    spots: { type: "string", default: "5000" },
    "per-spot": { type: "string", default: "4000" },
  },
});

function ratesOf({ fields }: InMemoryRun): Rates {
  return ratesOfFields(fields);
}

async function accuracyTable(): Promise<void> {
  const show = (score: Accuracy): string =>
    `${score.all.toFixed(3)} / ${score.variable.toFixed(3)}`;
  const analysisType = values["analysis-type"] === "advanced" ? "advanced" : "basic";
  console.log(
    "| morphology | seed | nearest | interpolation | step 4 | true types fitted | CPU s |",
  );
  console.log("|---|---|---|---|---|---|---|");
  for (const morphology of values.morphology.split(",").map(Number)) {
    for (const seed of values.seeds.split(",").map(Number)) {
      const nGenes = Number(values.genes ?? 300);
      const tissue = syntheticTissue({ seed, sideUm: Number(values.side), nGenes, morphology });
      const started = process.cpuUsage().user;
      const run = await runInMemory(vectorTransformation, syntheticFields(tissue), {
        settings: { analysisType },
      });
      const seconds = (process.cpuUsage().user - started) / 1e6;
      const { nearest, interpolation } = baselines(tissue);
      const ours = accuracy(tissue, ratesOf(run).column);
      const fitted = trueTypesFitted(tissue);
      console.log(
        `| ${morphology} | ${seed} | ${show(nearest)} | ${show(interpolation)} | ${show(ours)} | ${show(fitted)} | ${seconds.toFixed(1)} |`,
      );
    }
  }
}

/** Unstructured counts of realistic size and depth, which determine time and memory. */
function largeCounts(nSpots: number, nGenes: number, perSpot: number): SparseMatrix {
  const random = new Random(1);
  const chance = Float64Array.from({ length: nGenes }, () => Math.exp(1.5 * random.normal()));
  const scale = perSpot / chance.reduce((a, b) => a + b / (b + 1), 0);
  const indptr = new Uint32Array(nSpots + 1);
  const indices = new Uint32Array(Math.ceil(nSpots * perSpot * 1.2));
  const data = new Float32Array(indices.length);
  let to = 0;
  for (let s = 0; s < nSpots; s++) {
    for (let g = 0; g < nGenes && to < indices.length; g++) {
      if (random.uniform() >= Math.min(1, (scale * chance[g]) / (chance[g] + 1))) continue;
      indices[to] = g;
      data[to++] = 1 + random.poisson(chance[g]);
    }
    indptr[s + 1] = to;
  }
  return {
    nRows: nSpots,
    nCols: nGenes,
    indptr,
    indices: indices.subarray(0, to),
    data: data.subarray(0, to),
  };
}

async function largeRun(): Promise<void> {
  const nSpots = Number(values.spots);
  const side = Math.sqrt(nSpots * 8660) + 100;
  const spacingUm = side / Math.sqrt(Number(values.cells));
  const tissue = syntheticTissue({ seed: 1, sideUm: side, spacingUm, nGenes: 20, nFeatures: 60 });
  const nGenes = Number(values.genes ?? 18_000);
  tissue.counts = largeCounts(tissue.spotsXy.nRows, nGenes, Number(values["per-spot"]));
  const fields = {
    ...syntheticFields(tissue),
    "genes/symbol": Array.from({ length: nGenes }, () => ""),
    "genes/id": Array.from({ length: nGenes }, () => ""),
  };
  console.log(
    `${tissue.nCells} cells, ${tissue.spotsXy.nRows} spots, ${nGenes} genes, ${tissue.counts.indices.length} entries of Y, ${tissue.overlap.indices.length} of A`,
  );
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 200);
  const started = performance.now();
  const cpu = process.cpuUsage().user;
  const run = await runInMemory(vectorTransformation, fields);
  clearInterval(watch);
  console.log(run.log.join("\n"));
  const rates = ratesOf(run);
  rates.column(0);
  const before = performance.now();
  for (let g = 0; g < 20; g++) rates.column(g * 100);
  const perGene = (performance.now() - before) / 20;
  console.log(
    `${((before - started) / 1000).toFixed(1)} s, ${((process.cpuUsage().user - cpu) / 1e6).toFixed(1)} s CPU, peak ${(peak / 2 ** 30).toFixed(2)} GiB; ${perGene.toFixed(1)} ms a gene`,
  );
}

await (values.large ? largeRun() : accuracyTable());
