import { cpus } from "node:os";

/**
 * Everything besides the program and its data that may affect the last bits of a result: the processor (the network's
 * library picks its instructions accordingly), the operating system, and the JavaScript engine. Only machines of the
 * same kind run each other's tasks.
 */
export function machineKind(): string {
  return [process.platform, process.arch, cpus()[0]?.model ?? "", process.versions.v8].join(" | ");
}
