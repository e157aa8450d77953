import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { endIdleBodies } from "./idle-bodies.ts";
import { answerInvalidRequest } from "./invalid-requests.ts";

let server: Server;
let got: number[];
beforeEach(async () => {
  got = [];
  server = createServer((request, response) => {
    let bytes = 0;
    request.on("data", (piece: Buffer) => (bytes += piece.length));
    request.on("error", () => undefined);
    request.on("end", () => {
      got.push(bytes);
      response.end("done");
    });
  });
  server.on("clientError", answerInvalidRequest);
  endIdleBodies(server, { idleMs: 600, minBytes: 1000, windowMs: 1500 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function begin(bytes: number): Socket {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(
    `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  return socket;
}

it("ends a request whose body stops, and says so", async () => {
  const socket = begin(1000);
  socket.write("x".repeat(500));
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1.1 408 .*The request took too long to arrive\./s);
  expect(got).toEqual([]);
});

it("ends one that only trickles in", async () => {
  const socket = begin(100_000);
  socket.on("error", () => undefined);
  const trickling = setInterval(() => socket.write("x"), 50);
  expect(await text(socket)).toMatch(/^HTTP\/1.1 408 /);
  clearInterval(trickling);
});

it("waits for a slow one that makes progress, longer than any of its limits", async () => {
  const socket = begin(10_000);
  const answer = text(socket);
  for (let part = 0; part < 20; part++) {
    socket.write("x".repeat(500));
    await sleep(120);
  }
  expect(await answer).toContain("done");
  expect(got).toEqual([10_000]);
});

it("leaves a whole request alone, however long its answer takes", async () => {
  server.removeAllListeners("request");
  endIdleBodies(server, { idleMs: 300, minBytes: 1000, windowMs: 300 });
  server.on("request", (request, response) => {
    request.resume();
    setTimeout(() => response.end("late"), 900);
  });
  const socket = begin(3);
  socket.write("xyz");
  expect(await text(socket)).toContain("late");
});
