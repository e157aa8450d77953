import { createServer } from "node:net";
import { expect, it } from "vitest";
import { freePort, isPortBlocked, isPortFree } from "./ports.ts";

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
  expect(await isPortFree(port)).toBe(false);
  expect(await freePort(port)).not.toBe(port);
  await new Promise((closed) => taken.close(closed));
  expect(await freePort(port)).toBe(port);
});
