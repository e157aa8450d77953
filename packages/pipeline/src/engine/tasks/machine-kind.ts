import { cpus } from "node:os";

/**
 * What the last bits of a result may depend on besides program and data: processor (the network's library picks its
 * instructions accordingly), operating system, and engine. Only machines of the same kind run each other's tasks.
 */
export function machineKind(): string {
  return [process.platform, process.arch, cpus()[0]?.model ?? "", process.versions.v8].join(" | ");
}
