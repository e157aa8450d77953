import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openGraph } from "@stipple/pipeline/numerics/onnx-graph";
import type { StepCost } from "./measure.ts";

/** What a machine can do at best. */
export interface MachineRates {
  /** Of its disk, past the system's cache, MB/s. */
  readMbPerS: number;
  writeMbPerS: number;
  /** Of one core in a matrix product of float32 by ONNX Runtime, 10⁹ operations per second. */
  gflops: number;
}

const BLOCKS_OF_4_MIB = 128;
/** Side of the matrices, and how often they are multiplied; the fastest product counts. */
const SIDE = 1024;
const PRODUCTS = 8;

/** Multiplications of the nucleus network for each working pixel: those of its 17 convolutions. */
const NETWORK_PRODUCTS = 10_393;

/** Measures the disk of a folder and one core, in a few seconds (Linux: dd). */
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
export async function productRate(): Promise<number> {
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
 * Seconds below which no program could do a step on that machine: its bytes at the disk's rate, and in step 2 the network's
 * arithmetic, at the rate of a matrix product on all cores.
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
