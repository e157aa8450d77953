import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ STIPPLE_PUBLIC_URL: "https://stipple.example.org" });
});
afterAll(() => server[Symbol.asyncDispose]());

/** A page, an answer of the API, a refusal, and addresses that are none. */
const ADDRESSES = ["/", "/api/health", "/api/projects", "/api/nothing", "/nothing", "/assets/"];

describe.each(ADDRESSES)("%s", (path) => {
  it("says how browsers are to treat it", async () => {
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
    const status = await new Promise((resolve, reject) => {
      const call = request(server.url + path, { method: "TRACE" }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      call.once("error", reject).end();
    });
    expect(status).toBe(404);
  });
});

it("lists no folder", async () => {
  for (const path of ["/assets", "/assets/", "/api/"]) {
    const answer = await fetch(server.url + path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toMatch(/\.(js|css|png)<|Index of/);
  }
});
