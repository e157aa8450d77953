/** The part of scran.js that the marker test compares with; src/scran-js.d.ts declares the rest. */
declare module "scran.js" {
  export interface MarkerScores extends WasmObject {
    cohensD(group: number, options: { summary: "minimum" | "mean" }): Float64Array;
  }
  export function scoreMarkers(
    matrix: CountsMatrix,
    groups: Int32Array,
    options: { numberOfThreads: number },
  ): MarkerScores;
}
