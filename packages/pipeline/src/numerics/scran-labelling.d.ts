/** The part of scran.js that reference-based typing uses, in addition to numerics/scran-js.d.ts. */
declare module "scran.js" {
  export interface LabeledReference extends WasmObject {
    numberOfLabels(): number;
  }
  export interface TrainedReference extends WasmObject {
    numberOfFeatures(): number;
  }
  export interface CellLabels extends WasmObject {
    /** Index of the best label of each cell, after fine-tuning. */
    predicted(): Int32Array;
    /** Spearman correlation with a label (0.8 quantile over its samples), one per cell. */
    scoreForLabel(label: number): Float64Array;
  }

  export function initializeDenseMatrixFromDenseArray(
    numberOfRows: number,
    numberOfColumns: number,
    values: Float32Array,
    options: { columnMajor: boolean; forceInteger: boolean },
  ): CountsMatrix;
  /** Gzipped text: ranks (one line per sample), marker lists (GMT), and labels (one line per sample). */
  export function loadLabelCellsReferenceFromBuffers(
    ranks: Uint8Array,
    markers: Uint8Array,
    labels: Uint8Array,
  ): LabeledReference;
  export function trainLabelCellsReference(
    testFeatures: readonly string[],
    reference: LabeledReference,
    referenceFeatures: readonly string[],
    options: { top: number; numberOfThreads: number; approximate: boolean },
  ): TrainedReference;
  export function labelCells(
    matrix: CountsMatrix,
    reference: TrainedReference,
    options: { numberOfThreads: number },
  ): CellLabels;
}
