import { readFileSync } from "node:fs";

type Loop = (...addresses: number[]) => void;

/** The loops of `assembly/`, which have the signatures, with a memory of their own. */
interface Kernels {
  /** Reserves this many bytes; arrays on the previous buffer are empty afterward. */
  reserve(bytes: number): ArrayBuffer;
  call: Readonly<
    Record<
      | "addDoubles"
      | "addFloats"
      | "addFourDoubles"
      | "addFourFloats"
      | "addCounts"
      | "addRatios"
      | "gatherGains"
      | "combineBins"
      | "combineSpots",
      Loop
    >
  >;
}

export const KERNELS_WASM = new URL("../../assembly/kernels.wasm", import.meta.url);

const PAGE = 1 << 16;

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of WebAssembly used here: TypeScript does not know it without browser types. */
const { Module, Instance } = (
  globalThis as unknown as {
    WebAssembly: {
      Module: new (bytes: Uint8Array) => object;
      Instance: new (module: object) => { exports: Kernels["call"] & { memory: WasmMemory } };
    };
  }
).WebAssembly;

let compiled: object | null = null;

/** Opens the loops, which are compiled once per thread, with an empty memory. */
export function openKernels(): Kernels {
  compiled ??= new Module(readFileSync(KERNELS_WASM));
  const { exports } = new Instance(compiled);
  const { memory } = exports;
  return {
    reserve(bytes) {
      const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
      if (missing > 0) memory.grow(missing);
      return memory.buffer;
    },
    call: exports,
  };
}
