import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { untrustedProxyWarning } from "../src/http/untrusted-proxy-warning.ts";
import { buildServer } from "../src/api/server.ts";
import { startTestServer, type TestServer } from "./server.ts";

const MAX = 3;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const read = (value: string) =>
  readConfig({ ...server.environment, STIPPLE_TRUST_PROXY: value }).trustProxy;

/** Statuses of successive logins from this machine with these X-Forwarded-For headers. */
async function logins(trust: string, forwarded: string[]): Promise<number[]> {
  const config = { ...server.config, loginsPerMinute: MAX, trustProxy: read(trust) };
  const app = await buildServer({ ...server.context, config });
  // Rate limits are counted in the database across all servers: each case starts from zero.
  await server.context.database.db.deleteFrom("attempts").execute();
  const statuses: number[] = [];
  for (const header of forwarded) {
    const payload = { email: `nobody${statuses.length}@example.org`, password: "wrong" };
    const headers = { "x-forwarded-for": header };
    const answer = await app.inject({ method: "POST", url: "/api/login", payload, headers });
    statuses.push(answer.statusCode);
  }
  await app.close();
  return statuses;
}
const rotating = (last: string): string[] =>
  Array.from({ length: 8 }, (_, n) => `198.51.100.${n}${last}`);
const LIMITED = [401, 401, 401, 429, 429, 429, 429, 429];

describe("logins per minute and IP address", () => {
  it("cannot be evaded by a rotating X-Forwarded-For without a trusted proxy", async () => {
    expect(await logins("", rotating(""))).toEqual(LIMITED);
  });

  it.each(["1", "loopback", "127.0.0.1, ::1"])(
    "cannot be evaded behind a proxy trusted as %s, which appends the caller's address",
    async (trust) => {
      const others = ["203.0.113.8", "198.51.100.1, 203.0.113.8"];
      const statuses = await logins(trust, [...rotating(", 203.0.113.7"), ...others]);
      // Someone else behind the same proxy has a separate count.
      expect(statuses).toEqual([...LIMITED, 401, 401]);
    },
  );

  it("cannot be evaded behind two proxies", async () => {
    expect(await logins("2", rotating(", 203.0.113.7, 10.0.0.2"))).toEqual(LIMITED);
  });

  it("cannot be evaded by switching among the addresses of an IPv6 line", async () => {
    const line = Array.from({ length: 8 }, (_, n) => `2001:db8:0:1::${n + 1}`);
    expect(await logins("1", line)).toEqual(LIMITED);
  });
});

describe("STIPPLE_TRUST_PROXY", () => {
  it("refuses to trust everybody, and invalid addresses", () => {
    for (const value of ["true", "yes", "10", "-1", "0.0.0.0/0", "::/0", "10.0.0.1/99", "proxy"]) {
      expect(() => read(value), value).toThrow("number of proxies in front");
    }
    expect(read("false")).toBe(false);
    expect(read("0")).toBe(false);
    expect(read("2")).toBe(2);
    expect(read("10.0.0.0/8, ::1")).toEqual(["10.0.0.0/8", "::1"]);
  });

  it("is reported missing at startup if users come through a proxy", () => {
    const start = { publicUrl: "https://stipple.example.org", port: 3000, trustProxy: false };
    expect(untrustedProxyWarning(start)).toContain("counts as one address");
    expect(untrustedProxyWarning({ ...start, publicUrl: "http://lab.internal" })).not.toBeNull();
    expect(untrustedProxyWarning({ ...start, trustProxy: 1 })).toBeNull();
    expect(untrustedProxyWarning({ ...start, publicUrl: "http://localhost:3000" })).toBeNull();
  });
});
