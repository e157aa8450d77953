import { writeFileSync } from "node:fs";
import { release } from "@stipple/numerics/release";
import type { ZarrChunk } from "./chunk-task.ts";
import { compress } from "./compress.ts";

/** Runs in a worker thread. */
export default function work(_shared: object, { file, bytes }: ZarrChunk): object {
  const compressed = compress(bytes);
  writeFileSync(file, compressed);
  release(compressed);
  return {};
}
