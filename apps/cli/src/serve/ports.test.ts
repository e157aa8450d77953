import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { freePort, isPortBlocked, localUrl, portFault } from "./ports.ts";

it("knows the ports that browsers block", async () => {
  // ManageSieve, X11, the NFS lock daemon, and IRC, as listed by the Fetch standard.
  for (const port of [4190, 6000, 4045, 6667]) expect(await isPortBlocked(port)).toBe(true);
  expect(await isPortBlocked(await freePort())).toBe(false);
});

it("chooses another port when the preferred one is blocked or in use", async () => {
  expect(await freePort(4190)).not.toBe(4190);
  const taken = createServer();
  const port = await freePort();
  await new Promise<void>((listening) => taken.listen(port, "127.0.0.1", listening));
  expect(await portFault(port)).toBe("EADDRINUSE");
  expect(await freePort(port)).not.toBe(port);
  await new Promise((closed) => taken.close(closed));
  expect(await freePort(port)).toBe(port);
});

it("distinguishes an address of another machine from a port in use", async () => {
  expect(await portFault(await freePort(), "192.0.2.1")).toBe("EADDRNOTAVAIL");
});

it("reaches what listens on all addresses, on IPv6, and on one address only", async () => {
  for (const host of ["0.0.0.0", "::", "::1", "127.0.0.2"]) {
    const port = await freePort();
    // Not every machine has IPv6.
    if ((await portFault(port, host)) !== null) continue;
    const server = createHttpServer((_, answer) => answer.end("here"));
    await new Promise<void>((listening) => server.listen(port, host, listening));
    expect(await (await fetch(localUrl(host, port))).text()).toBe("here");
    server.close();
    server.closeAllConnections();
  }
});
