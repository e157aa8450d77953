/** The part of scran.js that clustering uses, in addition to numerics/scran-js.d.ts. */
declare module "scran.js" {
  export interface CountsMatrix extends WasmObject {
    numberOfRows(): number;
    numberOfColumns(): number;
  }
  export interface GeneVariances extends WasmObject {
    free(): void;
  }
  export interface PcaResult extends WasmObject {
    numberOfPCs(): number;
    /** Column-major: used genes × components. */
    rotation(): Float64Array;
  }

  export function initializeSparseMatrixFromSparseArrays(
    numberOfRows: number,
    numberOfColumns: number,
    values: Int32Array,
    indices: Int32Array,
    pointers: Float64Array,
    options: { byRow: boolean },
  ): CountsMatrix;
  export function normalizeCounts(
    matrix: CountsMatrix,
    options: { sizeFactors: Float64Array },
  ): CountsMatrix;
  export function modelGeneVariances(
    matrix: CountsMatrix,
    options: { numberOfThreads: number },
  ): GeneVariances;
  export function chooseHvgs(variances: GeneVariances, options: { number: number }): Uint8Array;
  export function runPca(
    matrix: CountsMatrix,
    options: { features: Uint8Array; numberOfPCs: number; numberOfThreads: number },
  ): PcaResult;
}
