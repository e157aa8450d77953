import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ STIPPLE_PUBLIC_URL: "https://stipple.example.org" });
});
afterAll(() => server[Symbol.asyncDispose]());

/** An API response and a refusal. */
const KNOWN = ["/api/health", "/api/projects"];
/** A page, the two above, and addresses that do not exist. */
const ADDRESSES = ["/", ...KNOWN, "/api/nothing", "/nothing", "/assets/"];

describe.each(ADDRESSES)("%s", (path) => {
  it("tells browsers how to treat it", async () => {
    const { headers } = await fetch(server.url + path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(headers.get("strict-transport-security")).toMatch(/^max-age=(3[1-9]|[4-9]\d)\d{6}/);
  });

  it("lets no other site read it", async () => {
    for (const method of ["GET", "OPTIONS"]) {
      const { headers } = await fetch(server.url + path, {
        method,
        headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
      });
      const allowing = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
      expect(allowing).toEqual([]);
    }
  });

  it("echoes no TRACE", async () => {
    const { status, body } = await new Promise<{ status?: number; body: string }>(
      (resolve, reject) => {
        const options = { method: "TRACE", headers: { "x-secret": "told to nobody" } };
        const call = request(server.url + path, options, (answer) => {
          text(answer).then((body) => resolve({ status: answer.statusCode!, body }), reject);
        });
        call.once("error", reject).end();
      },
    );
    expect(status).toBe(KNOWN.includes(path) ? 405 : 404);
    expect(body).not.toContain("told to nobody");
  });
});

it("lists no folder", async () => {
  for (const path of ["/assets", "/assets/", "/api/"]) {
    const answer = await fetch(server.url + path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toMatch(/\.(js|css|png)<|Index of/);
  }
});
