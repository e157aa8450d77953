/**
 * The part of scran.js (libscran in WebAssembly) used by the exports; it ships without types.
 */
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
}
