/** A change of a source file below packages/pipeline/src: the first occurrence of `find` becomes `put`. */
export interface Edit {
  file: string;
  find: string;
  put: string;
}

/** A rule of steps 4 and 5, and what takes it out. */
export interface Rule {
  name: string;
  /** Which samples it acts on. */
  on: "spots" | "bins" | "both";
  /** What the model does without it. */
  without: string;
  edits: Edit[];
}

const STEP4 = "steps/4-vector-transformation";

function rule(
  on: Rule["on"],
  name: string,
  without: string,
  ...edits: [file: string, find: string, put: string][]
): Rule {
  return { name, on, without, edits: edits.map(([file, find, put]) => ({ file, find, put })) };
}

const parts = `${STEP4}/choose-parts.ts`;
const learn = `${STEP4}/learn-membership.ts`;
const steps = `${STEP4}/step.ts`;
const typesPart = `${STEP4}/types-part.ts`;
const source = `${STEP4}/choose-source.ts`;
const find = "types/find-types.ts";
const fit = "types/anchored-fit.ts";
const constants = "model/constants.ts";
const limits = "model/limits.ts";
const shares = "bins ? [1, 0, 0] : real.weights";
/** The stacked shares of the other parts. */
const without = (part: number): string =>
  `bins ? [1, 0, 0] : real.weights.map((own, i) => (i === ${part} ? 0 : own / (1 - real.weights[${part}])))`;

/** Rules that cost less than the spread between seeds and are gone; their figures were measured before. */
export const GONE: readonly Omit<Rule, "edits">[] = [
  { on: "spots", name: "efficiency: range by rings", without: "fixed range" },
  { on: "spots", name: "source: by gene", without: "one for all genes" },
  { on: "spots", name: "source: leads shrunk", without: "as measured" },
  { on: "spots", name: "types: look-alikes own components", without: "each its own" },
  { on: "spots", name: "types: half of many markers", without: ".6 of all" },
  { on: "bins", name: "names: half told by 50 counts", without: "all counts count" },
  { on: "spots", name: "shares below .1 dropped", without: "kept" },
  { on: "spots", name: "do looks help?", without: "always yes" },
  { on: "spots", name: "looks help: standard error", without: "not asked" },
  { on: "spots", name: "looks help: least correlation", without: "not asked" },
  { on: "spots", name: "looks help: least gain", without: "any gain" },
  { on: "spots", name: "types: half the weight without help", without: "the same weight" },
  { on: "spots", name: "types: less weight if of one type", without: "the same weight" },
  { on: "spots", name: "efficiency: power by part", without: ".8 for all" },
  { on: "bins", name: "names: seed for each type", without: "none" },
];

export const RULES: readonly Rule[] = [
  // Parts of the model.
  rule("spots", "part: learned", "no part by features and place", [parts, shares, without(0)]),
  rule("spots", "part: groups by look", "no groups", [parts, shares, without(1)]),
  rule("spots", "part: place", "no part by place alone", [parts, shares, without(2)]),
  rule("spots", "shares by stacking", "equal shares", [
    parts,
    shares,
    "bins ? [1, 0, 0] : [1 / 3, 1 / 3, 1 / 3]",
  ]),
  rule("bins", "bins: only the learned part", "parts by stacking", [parts, shares, "real.weights"]),
  rule("spots", "part: types", "no types among the parts", [
    typesPart,
    "const weight =\n    (reference ? PARTS.MAX_OF_LABELS : PARTS.MAX_OF_TYPES) * shareWithType(types.posterior, k);",
    "const weight = 0;",
  ]),
  rule("spots", "few spots: all held out in turn", "every fourth spot", [
    parts,
    "nSpots < PARTS.FEW_SPOTS ? 4 : 1",
    "1",
  ]),
  rule("spots", "types: weight .8", ".5", [constants, "MAX_OF_TYPES: 0.8", "MAX_OF_TYPES: 0.5"]),
  // The learned part.
  rule("both", "gate trained", "prototypes as found", [steps, ".default(45)", ".default(0)"]),
  rule("both", "gate: prior", "a hundredth of it", [steps, ".default(0.5)", ".default(0.005)"]),
  rule("both", "supervision: penalty by cross-validation", "1", [
    limits,
    "ALPHAS: [0.01, 0.03, 0.1, 0.3, 1, 3, 10],",
    "ALPHAS: [1],",
  ]),
  rule("both", "varying genes: two standard errors", "raw excess", [
    `${STEP4}/informative-genes.ts`,
    "ENOUGH.SURE_FROM * error",
    "0",
  ]),
  rule("spots", "dispersion of counts", "Poisson", [
    `${STEP4}/gather-sample.ts`,
    "bins ? 0 : countDispersion(byGene)",
    "0",
  ]),
  // Spots and profiles.
  rule("spots", "efficiency of spots", "1", [
    learn,
    "if (!unevenSpots) return ones;",
    "return ones;",
  ]),
  rule("both", "profiles: richness in the prior", "equal richness", [
    `${STEP4}/fit-expression.ts`,
    "const richness = richnessOf(exposure, k, totals, priorCells);",
    "const richness = new Float64Array(k).fill(1);",
  ]),
  rule("both", "profiles: prior of 5 cells", ".5 cells", [steps, ".default(5)", ".default(0.5)"]),
  // Rates.
  rule("spots", "source: interpolation where it clearly leads", "always the model", [
    source,
    "if (lead > ENOUGH.SURE_FROM * error && lead > most)",
    "if (false)",
  ]),
  rule("spots", "source: two standard errors", "any lead", [
    source,
    "ENOUGH.SURE_FROM * error",
    "0",
  ]),
  rule("spots", "rates move to spots around", "they stay", [
    `${STEP4}/judge-genes.ts`,
    "fill(RATES.SHAPE_OF_SPOTS)",
    "fill(1e9)",
  ]),
  rule("both", "counts: totals evened out", "gene by gene", [
    constants,
    "TOTAL_WEIGHT: 0.7",
    "TOTAL_WEIGHT: 0",
  ]),
  rule("both", "counts: less for rare genes", "the same for all", [
    constants,
    "HALF_WEIGHT_UMIS: 0.3",
    "HALF_WEIGHT_UMIS: 0",
  ]),
  // Bins.
  rule("bins", "bins: richness of cells", "1", [
    `${STEP4}/cell-richness.ts`,
    "membership[c * k + j] *= above / below;",
    "membership[c * k + j] *= 1;",
  ]),
  rule("bins", "bins: weight learned by gene", "1 for all", [
    `${STEP4}/judge-genes.ts`,
    "halves?.shape ?? new Float32Array(byGene.nRows).fill(RATES.SHAPE_OF_SPOTS)",
    "new Float32Array(byGene.nRows).fill(1)",
  ]),
  rule("bins", "bins: 2% quantile of the weight", "median", [
    constants,
    "QUANTILE: 0.02",
    "QUANTILE: 0.5",
  ]),
  rule("bins", "bins: source by halves", "always the model", [
    `${STEP4}/own-bins/learn-from-halves.ts`,
    "const source = RATE_SOURCES.reduce((a, b) => (medians[b] > medians[a] ? b : a));",
    'const source: RateSource = "model";',
  ]),
  // Types fitted to spots.
  rule("spots", "types: start from looks", "all equal", [
    find,
    "let start = await startFromLooks(data, columnsOf(candidates), seed);",
    "let start = new Float64Array(data.phi.nCols * (candidates.length + 1));",
  ]),
  rule("spots", "types: three runs", "one run", [constants, "RUNS: 3,", "RUNS: 1,"]),
  rule("spots", "types: spots weigh them", "looks and places alone", [
    "types/weigh-by-spots.ts",
    "if (spot < 0) continue;",
    "continue;",
  ]),
  rule("spots", "types: discriminants if few spots", "the fitted gate", [
    find,
    "data.overlap.nRows < TYPE_FIT.ENOUGH_SPOTS",
    "false",
  ]),
  rule("spots", "types: unconfirmed types dropped", "all kept", [
    find,
    "component[t] < 0 || !isConfirmed(raises[component[t]][t])",
    "component[t] < 0",
  ]),
  rule("spots", "types: components traded", "each keeps its own", [
    find,
    "const component = matchComponents(raises.map((ofTypes) => ofTypes.map(oddsOfType)));",
    "const component = kept.map((_, t) => t);",
  ]),
  rule("spots", "types: rare ones raised more", "no difference", [
    constants,
    "SURE_SHARE: 0.05,",
    "SURE_SHARE: 0,",
  ]),
  rule("spots", "types: half of the markers confirmed", ".6", [
    constants,
    "MIN_CONFIRMED: 0.5,",
    "MIN_CONFIRMED: 0.6,",
  ]),
  rule("spots", "types: 15% of the markers", "three markers", [
    "types/resolve-sets.ts",
    "Math.max(MIN_MARKERS, MIN_COVERAGE * set.markers.length)",
    "MIN_MARKERS",
  ]),
  rule("spots", "types: a set for its lineage", "not if too small", [
    "types/resolve-sets.ts",
    "hasEnough(one) || standsForLineage(one, found)",
    "hasEnough(one)",
  ]),
  rule("spots", "types: absent genes", "as the background", [
    constants,
    "ABSENT: 0.06,",
    "ABSENT: 0.3,",
  ]),
  rule("spots", "types: overdispersion", "Poisson", [
    constants,
    "DISPERSION: 0.3,",
    "DISPERSION: 0,",
  ]),
  rule("spots", "types: totals of spots say little", "they count", [
    fit,
    "return counted / expected;",
    "return 1;",
  ]),
  rule("spots", "types: place", "looks only", [
    constants,
    "PLACE_PENALTY: 60,",
    "PLACE_PENALTY: 6000,",
  ]),
  rule("spots", "types: tissue guessed", "unknown", [
    "types/fit-types.ts",
    ": guess;",
    ': { tissue: "unknown" as const, likely: [] };',
  ]),
  rule("spots", "types: tissues close behind", "the first alone", [
    constants,
    "TIMES_NEXT: 1.5,",
    "TIMES_NEXT: 1.0001,",
  ]),
  rule("spots", "types: candidates shown by counts", "all", [
    "types/fit-types.ts",
    "isWholeTranscriptome(symbols.length)\n    ? shownCandidates(possible, scored)\n    : possible",
    "possible",
  ]),
  rule("spots", "types: counted markers", "all markers", [
    "types/fit-types.ts",
    "if (!isWholeTranscriptome(nRows)) return () => true;",
    "return () => true;",
  ]),
  // Names.
  rule("spots", "names: profile of another type", "names as fitted", [
    constants,
    "FITTED_ODDS: 20,",
    "FITTED_ODDS: 1e300,",
  ]),
  rule("spots", "names: profile of a type not fitted", "fitted types only", [
    "steps/4-vector-transformation/types-part.ts",
    "const names = confirmed.candidates;",
    "const names = confirmed.report.types.map(({ name }) => name);",
  ]),
  rule("spots", "names: components of no type", "all have one", [
    constants,
    "MIN_EXPLAINED: 0.05,",
    "MIN_EXPLAINED: -1e9,",
  ]),
  rule("bins", "names: power of looks", "1", [
    "types/discriminant.ts",
    "const power = powerOfLooks(posterior, phi, weights);",
    "const power = 1;",
  ]),
  rule("bins", "names: looks weigh types", "counts alone", [
    "steps/5-cluster-analysis/typing-input.ts",
    "ofCells && !shared ? await readLooks(read) : null",
    "null",
  ]),
  rule(
    "both",
    "names: nuclei",
    "not asked",
    ["types/weigh-by-profiles.ts", "if (hasNoNucleus(name, tissue))", "if (false)"],
    [
      "cell-types/type-by-counts.ts",
      "typeWeights(all, found, nucleated)",
      "typeWeights(all, found, false)",
    ],
  ),
  rule("bins", "names: ambient counts", "none", [constants, "AMBIENT: 0.5", "AMBIENT: 0.001"]),
  rule("bins", "names: levels softened at first", "full levels", [
    constants,
    "FIRST_EXPONENT: 0.4",
    "FIRST_EXPONENT: 1",
  ]),
  rule("bins", "names: cells of none", "hardly any", [
    constants,
    "NONE_SHARE: 0.02,",
    "NONE_SHARE: 1e-6,",
  ]),
  rule("bins", "names: tissue as a prior", "every tissue alike", [
    "cell-types/type-by-counts.ts",
    "typeWeights(all, found, nucleated)",
    "new Float64Array(all.length + 1).fill(1)",
  ]),
];
