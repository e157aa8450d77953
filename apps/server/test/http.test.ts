import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

it("answers without a built web app, and says how to build it", async () => {
  expect((await server.call("GET", "/health")).json).toEqual({
    status: "degraded",
    version: "0.1.0",
    database: true,
    workers: 0,
  });
  const page = await fetch(`${server.url}/`);
  expect(page.status).toBe(404);
  expect(await page.text()).toContain("npm run build");
});

it("answers unknown API addresses and broken bodies with problem details", async () => {
  const missing = await server.call("GET", "/nothing");
  expect([missing.status, missing.json.code]).toEqual([404, "not_found"]);
  const post = await server.call("POST", "/nothing", { body: {} });
  expect([post.status, post.json.code]).toEqual([404, "not_found"]);
  const broken = await fetch(`${server.url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{",
  });
  expect(broken.status).toBe(400);
  expect(broken.headers.get("content-type")).toContain("application/problem+json");
});

it("serves the pages: known addresses 200, unknown 404 with the same page, hashed assets for ever", async () => {
  const web = server.config.webDir;
  await mkdir(join(web, "assets"), { recursive: true });
  await writeFile(join(web, "index.html"), "<!doctype html><title>Stipple</title>");
  await writeFile(join(web, "assets", "main-abc123.js"), "export {};");
  const get = (path: string) => fetch(server.url + path);

  for (const path of ["/", "/analysis/step3", "/pricing?x=1", "/visualization/some.token.here"]) {
    const page = await get(path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(await page.text()).toContain("Stipple");
    expect(page.headers.get("cache-control")).toBe("no-cache");
  }
  const unknown = await get("/no/such/page");
  expect(unknown.status).toBe(404);
  expect(await unknown.text()).toContain("Stipple");
  const asset = await get("/assets/main-abc123.js");
  expect(asset.headers.get("cache-control")).toContain("immutable");
  expect((await get("/assets/gone-000000.js")).status).toBe(404);
  expect((await get("/..%2f..%2fdata%2fjwt-secret")).status).toBeGreaterThanOrEqual(400);
});

it("forbids foreign scripts, inline scripts and framing", async () => {
  const policy = (await fetch(`${server.url}/`)).headers.get("content-security-policy") ?? "";
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
});
