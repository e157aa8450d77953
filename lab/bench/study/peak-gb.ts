import { readFileSync } from "node:fs";

/** The most resident memory that this process has had. */
export function peakGb(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))![1]) / 1e6;
}
