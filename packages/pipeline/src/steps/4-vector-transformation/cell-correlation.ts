import type { SegmentationReport } from "../../facts.ts";
import type { Matrix } from "../../fields.ts";
import { median } from "../../numerics/pearson.ts";
import table from "./cell-correlation-table.json" with { type: "json" };

/** What the expectation of one gene is computed from. */
export interface GeneKnown {
  /** Correlation with the counts of held-out spots. */
  heldout: number;
  /** What noise alone leaves of a correlation with single cells (see visibilityOf). */
  visibility: number;
  /** Whether its rate is the model's, or that of the spots around. */
  isModel: boolean;
}

/** The same of all judged genes of a sample. */
export interface SampleKnown {
  medianHeldout: number;
  medianVisibility: number;
  /** How much the look of cells adds to the correlation with held-out spots; null where it was not tried. */
  lookGain: number | null;
  /** Whether cells have their own bins, which are better evidence than the model. */
  bins: boolean;
  /** Share of the tissue where the image is blurred, too dark or inked. */
  poorImage: number;
}

/** Weights of `signalsOf`, and what lies between them and the truth; `npm run bench:calibration` writes it. */
export interface CorrelationTable {
  weights: readonly number[];
  /** Times `spreadOf`, added on Fisher's scale: 80 % of the genes of other tissues lie between. */
  low: number;
  high: number;
}

/** Correlations are kept this far from ±1 before they are transformed. */
const MOST = 0.99;
/** A smaller gain is none. */
const LEAST_GAIN = 1e-3;

/** How far off a gene can be that no cell expresses. */
const LEAST_SPREAD = 0.05;

/** Fisher's scale. */
export function fisher(r: number): number {
  return Math.atanh(Math.max(-MOST, Math.min(MOST, r)));
}

/** What the linear map sees of a gene; the first stands for the constant. */
export function signalsOf(gene: GeneKnown, sample: SampleKnown): number[] {
  const noise = fisher(gene.visibility);
  const typical = fisher(sample.medianHeldout);
  return [
    1,
    noise,
    fisher(gene.heldout),
    typical,
    noise * typical,
    fisher(sample.medianVisibility),
    gene.isModel ? noise : 0,
    noise * Math.log(Math.max(1, (sample.lookGain ?? 0) / LEAST_GAIN)),
    noise * noise,
    noise * sample.poorImage,
    sample.bins ? 1 : 0,
    sample.bins ? noise : 0,
  ];
}

/** How far off the expectation can be, relative to other genes: the more, the less noise hides. */
export function spreadOf([, noise]: readonly number[]): number {
  return LEAST_SPREAD + Math.abs(noise);
}

/** nGenes each; NaN where a gene was not judged. */
export interface CellCorrelation {
  expected: Float32Array<ArrayBuffer>;
  low: Float32Array<ArrayBuffer>;
  high: Float32Array<ArrayBuffer>;
}

/**
 * The correlation that each gene's rate is expected to have, over single cells, with what a cell itself would have
 * counted, and the interval that holds 80 % of the genes. Fitted on tissues of known truth (docs/accuracy.md): a
 * correlation with held-out spots ranks genes well, but a spot's counts are another unit than a cell's.
 * `heldout` is NaN for genes that were not judged. O(genes).
 */
export function cellCorrelation(
  genes: {
    heldout: Float32Array;
    visibility: Float64Array;
    isModel: (gene: number) => boolean;
    /** Whether a gene is sure to vary between spots: what is known of the sample is known from such genes. */
    varies: (gene: number) => boolean;
  } & OfSample,
  known: CorrelationTable = table,
): CellCorrelation {
  const { heldout, visibility, isModel } = genes;
  const sample = sampleOf(heldout, visibility, genes.varies, genes);
  const of = (added: number): Float32Array<ArrayBuffer> =>
    Float32Array.from(heldout, (r, gene) => {
      if (!Number.isFinite(r)) return NaN;
      const signals = signalsOf(
        { heldout: r, visibility: visibility[gene], isModel: isModel(gene) },
        sample,
      );
      return Math.tanh(
        added * spreadOf(signals) + signals.reduce((sum, s, i) => sum + s * known.weights[i], 0),
      );
    });
  return { expected: of(0), low: of(known.low), high: of(known.high) };
}

/** The columns of genes/cell_pcc: expected, low, high. */
export function asMatrix({ expected, low, high }: CellCorrelation): Matrix<Float32Array> {
  const data = new Float32Array(3 * expected.length);
  [expected, low, high].forEach((column, i) =>
    column.forEach((value, gene) => (data[3 * gene + i] = value)),
  );
  return { nRows: expected.length, nCols: 3, data };
}

type OfSample = Omit<SampleKnown, "medianHeldout" | "medianVisibility">;

/** With medians over the judged genes that vary; 0 where there are none. */
export function sampleOf(
  heldout: Float32Array,
  visibility: Float64Array,
  varies: (gene: number) => boolean,
  { lookGain, bins, poorImage }: OfSample,
): SampleKnown {
  const judged = Array.from(heldout.keys()).filter(
    (gene) => Number.isFinite(heldout[gene]) && varies(gene),
  );
  const of = (values: ArrayLike<number>): number =>
    judged.length === 0 ? 0 : median(judged.map((gene) => values[gene]));
  return {
    medianHeldout: of(heldout),
    medianVisibility: of(visibility),
    lookGain,
    bins,
    poorImage,
  };
}

/** Share of the tissue where step 2 calls the image blurred, too dark or inked. */
export function poorImageOf({ imageQuality }: Pick<SegmentationReport, "imageQuality">): number {
  return imageQuality ? imageQuality.blurred + imageQuality.dark + imageQuality.pen : 0;
}
