import { gunzipSync } from "node:zlib";
import fastify from "fastify";
import { expect, it } from "vitest";
import { sendJson } from "./send-json.ts";

const LONG = { items: Array.from({ length: 5_000 }, (_, at) => `µm ${at}`) };

const app = fastify();
app.get("/long", (_, reply) => sendJson(reply, LONG));
app.get("/short", (_, reply) => sendJson(reply, { a: 1 }));
const get = (url: string, taken?: string) =>
  app.inject({ url, headers: taken === undefined ? {} : { "accept-encoding": taken } });

it.each(["gzip", "br, gzip;q=0.5", "deflate, GZIP ; q=1.0"])("compresses for %s", async (taken) => {
  const { headers, rawPayload } = await get("/long", taken);
  expect(headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "content-encoding": "gzip",
    "content-length": `${rawPayload.length}`,
    vary: "accept-encoding",
  });
  expect(JSON.parse(gunzipSync(rawPayload).toString())).toEqual(LONG);
});

it.each([undefined, "", "br", "gzip;q=0", "gzip;q=0.000"])("does not for %j", async (taken) => {
  const answer = await get("/long", taken);
  expect(answer.headers["content-encoding"]).toBeUndefined();
  expect(answer.json()).toEqual(LONG);
});

it("leaves short answers as they are", async () => {
  const { headers, payload } = await get("/short", "gzip");
  expect(payload).toBe('{"a":1}');
  expect(headers["content-encoding"]).toBeUndefined();
});
