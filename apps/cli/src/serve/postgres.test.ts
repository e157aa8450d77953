import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, it, vi } from "vitest";
import { untilReady } from "./postgres.ts";

// Attempts follow each other at once.
vi.mock("node:timers/promises", () => ({ setTimeout: () => Promise.resolve() }));

/** PostgreSQL's response to a client that it does not let in. */
function refusal(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mthe database system is not ready\0\0`);
  const head = Buffer.alloc(5, "E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

it("waits for a database that recovers from a crash, however long, but not for one that is broken", async () => {
  let asked = 0;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(refusal(++asked <= 400 ? "57P03" : "53300")));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await expect(untilReady(`postgres://stipple@127.0.0.1:${port}/postgres`)).rejects.toThrow(
    "The database does not respond.",
  );
  expect(asked).toBe(400 + 151);
  server.close();
});
