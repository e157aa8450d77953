import { readFileSync } from "node:fs";

/** Milliseconds of processors that a process has had; where the system does not tell, all time counts. */
export function processorTimeOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return performance.now();
  }
}
