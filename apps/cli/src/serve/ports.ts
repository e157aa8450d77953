import { createServer } from "node:net";

/** Whether nothing listens on this port yet. */
export function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

/** The preferred port when it is free, else one that the system chooses. */
export async function freePort(preferred?: number, host = "127.0.0.1"): Promise<number> {
  if (preferred !== undefined && (await isPortFree(preferred, host))) return preferred;
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => {
        if (address && typeof address === "object") resolve(address.port);
        else reject(new Error("No free port was found."));
      });
    });
  });
}
