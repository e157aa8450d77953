export { DEFAULT_OPTIONS, type TissueOptions } from "./options.ts";
export { simulateTissue, type MeasuredCells } from "./simulate-tissue.ts";
export { evaluateResults, type Evaluation } from "./metrics/evaluate-results.ts";
export { METHODS, type Method } from "./metrics/predictions.ts";
export { formatEvaluation } from "./metrics/format-evaluation.ts";
export { readTruth, type KnownTissue } from "./read-truth.ts";
