// Loops of which plain ones would take more than 5 % of the CPU time of a run (docs/notebook/2026-11-structure.md, part 4).
// Arguments are addresses in the module's memory, in bytes. Every sum is added up in the order of the formula, two
// doubles at a time, so results are bit-identical to those of plain loops. `npm run kernels` builds kernels.wasm.
export { addDoubles, addFloats, addFourDoubles, addFourFloats } from "./rows";
export { addCounts, addRatios, gatherGains } from "./profiles";
export { combineBins, combineSpots } from "./rates";
