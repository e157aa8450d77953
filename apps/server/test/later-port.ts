import { randomInt } from "node:crypto";
import { portFault } from "../../cli/src/serve/ports.ts";

/** Below the ephemeral port range, from which outgoing connections may take any free port at any moment. */
const [FIRST, LAST] = [20_000, 32_000];

/** A port that will still be free when a process started later listens on it. */
export async function laterPort(host?: string): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if ((await portFault(port, host)) === null) return port;
  }
}

/** This many ports, all different. */
export async function laterPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await laterPort());
  return [...ports];
}
