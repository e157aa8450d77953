/** The parts of scran.js (libscran in WebAssembly) that are used here; it ships without types. */
declare module "scran.js" {
  export interface WasmObject {
    free(): void;
  }

  export function initialize(options: { numberOfThreads: number }): Promise<boolean>;

  export class H5EnumType {
    constructor(code: "Int8", levels: string[]);
  }
  export class H5StringType {
    static variableLength: number;
    constructor(encoding: "UTF-8", length: number);
  }
  export class H5CompoundType {
    constructor(members: Record<string, "Float64" | H5StringType>);
  }
  export class H5DataSet {
    constructor(file: string, name: string);
    write(values: Int8Array | Record<string, string | number>[]): void;
    writeAttribute(
      name: string,
      type: H5EnumType | H5StringType,
      shape: number[],
      value: number[] | string,
    ): void;
  }
  export class H5Group {
    constructor(file: string, name: string);
    createDataSet(
      name: string,
      type: H5EnumType | H5CompoundType,
      shape: number[],
      options?: { chunks: number[]; compression: number },
    ): H5DataSet;
    writeAttribute(name: string, type: H5EnumType, shape: number[], value: number[]): void;
  }

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
