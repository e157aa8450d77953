import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openGraph } from "@stipple/numerics/onnx-graph";
import type { StepCost } from "./measure.ts";

/** A machine's peak rates. */
export interface MachineRates {
  /** Disk throughput, bypassing the page cache, MB/s. */
  readMbPerS: number;
  writeMbPerS: number;
  /** One core's rate in a float32 matrix product by ONNX Runtime, 10⁹ operations per second. */
  gflops: number;
}

const BLOCKS_OF_4_MIB = 128;
/** Matrix size and number of products; the fastest one counts. */
const SIDE = 1024;
const PRODUCTS = 8;

/** Multiplications by the nucleus network per working pixel, in its 17 convolutions. */
const NETWORK_PRODUCTS = 10_393;

/** Measures a folder's disk and one core, in a few seconds (Linux: dd). */
export async function measureRates(folder: string): Promise<MachineRates> {
  const file = join(folder, "disk-rate");
  const mbPerS = (...parameters: string[]): number => {
    const started = performance.now();
    execFileSync("dd", ["bs=4M", `count=${BLOCKS_OF_4_MIB}`, ...parameters], { stdio: "ignore" });
    const seconds = (performance.now() - started) / 1000;
    return Math.round((BLOCKS_OF_4_MIB * 4 * 1024 ** 2) / 1e6 / seconds);
  };
  try {
    const writeMbPerS = mbPerS("if=/dev/zero", `of=${file}`, "oflag=direct", "conv=fsync");
    const readMbPerS = mbPerS(`if=${file}`, "of=/dev/null", "iflag=direct");
    return { readMbPerS, writeMbPerS, gflops: await productRate() };
  } finally {
    await rm(file, { force: true });
  }
}

/** Rate of one core in a matrix product, 10⁹ operations per second; takes about a quarter of a second. */
async function productRate(): Promise<number> {
  const sides = [SIDE, SIDE] as const;
  const product = await openGraph({
    nodes: [{ operator: "MatMul", inputs: ["a", "b"], output: "ab" }],
    inputs: [
      { name: "a", shape: sides },
      { name: "b", shape: sides },
    ],
    output: { name: "ab", shape: sides },
  });
  const matrix = Float32Array.from({ length: SIDE * SIDE }, (_, i) => (i % 7) / 7);
  let best = Infinity;
  for (let i = 0; i < PRODUCTS; i++) {
    const started = performance.now();
    await product(matrix, matrix);
    best = Math.min(best, (performance.now() - started) / 1000);
  }
  return Math.round((2 * SIDE ** 3) / 1e9 / best);
}

/**
 * Lower bound on the seconds any program would need for a step on that machine: its bytes at the disk's rate, plus in
 * step 2 the network's arithmetic at the rate of a matrix product on all cores.
 */
export function floorSeconds(
  { step, readBytes, writtenBytes }: StepCost,
  { readMbPerS, writeMbPerS, gflops }: MachineRates,
  workingMegapixels: number,
): number {
  const disk = readBytes / 1e6 / readMbPerS + writtenBytes / 1e6 / writeMbPerS;
  const operations = step === 2 ? 2 * NETWORK_PRODUCTS * workingMegapixels * 1e6 : 0;
  return disk + operations / (gflops * 1e9 * availableParallelism());
}
