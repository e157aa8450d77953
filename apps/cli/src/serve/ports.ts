import { createServer, isIPv6 } from "node:net";

/** The code of the error with which listening fails: EADDRINUSE, EACCES, …; null if it works. */
export function portFault(port: number, host = "127.0.0.1"): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", ({ code = "" }: NodeJS.ErrnoException) => resolve(code));
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
}

/** Where this machine reaches what listens on a host, which may be all addresses (`0.0.0.0` or `::`). */
export function localUrl(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/**
 * Whether browsers refuse every page on this port (the Fetch standard's list of blocked ports, which Node uses too).
 * Only for ports where nothing listens: a port that is not blocked gets a request.
 */
export async function isPortBlocked(port: number): Promise<boolean> {
  try {
    // Something that never responds may listen on another of the machine's addresses.
    await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1000) });
    return false;
  } catch (error) {
    const { cause } = error as Error;
    return cause instanceof Error && cause.message === "bad port";
  }
}

/** The preferred port when it is free and browsers open it, else one that the system chooses. */
export async function freePort(preferred?: number, host = "127.0.0.1"): Promise<number> {
  if (
    preferred !== undefined &&
    (await portFault(preferred, host)) === null &&
    !(await isPortBlocked(preferred))
  )
    return preferred;
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
