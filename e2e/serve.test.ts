import { readdir, readFile, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { runStipple } from "../apps/cli/src/testing/run-stipple.ts";
import { halfSent } from "../apps/server/test/half-sent.ts";
import { call, newAccount } from "./client.ts";
import { startPlatform, type Platform } from "./platform.ts";

const isLong = process.env["LONG_TESTS"] !== undefined;
const running: Platform[] = [];

async function start(...options: Parameters<typeof startPlatform>): Promise<Platform> {
  const platform = await startPlatform(...options);
  running.push(platform);
  return platform;
}

afterEach(async () => {
  for (const platform of running.splice(0)) await platform.close();
});

async function post(platform: Platform, path: string, body: unknown): Promise<Response> {
  return fetch(`${platform.url}/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const ada = { email: "ada@example.org", password: "secret1" };

describe("npm start", () => {
  it("locks its data and port, stops on Ctrl-C, and finds its data at the next start", async () => {
    const first = await start({ isFirstStart: true });
    expect(first.output()).toContain(first.url);
    await post(first, "/register", { ...ada, confirmPassword: ada.password });
    await expect(startPlatform({ dataDir: first.dataDir })).rejects.toThrow("already running");
    await expect(startPlatform({ environment: { PORT: new URL(first.url).port } })).rejects.toThrow(
      "is in use",
    );
    await expect(first.interrupt()).resolves.toBe(0);
    await expect(fetch(first.url)).rejects.toThrow();
    const stopped = { ...process.env, STIPPLE_DATA_DIR: first.dataDir };
    const check = await runStipple(["storage", "check"], stopped);
    expect(check.out).toContain("All is well");
    const { out } = await runStipple(["admin", "people", "list"], stopped);
    expect(out).toContain(ada.email);
    const second = await start({ dataDir: first.dataDir });
    expect((await post(second, "/login", ada)).status).toBe(200);
  });

  it("finishes pending requests after Ctrl-C, refuses new ones, and ignores idle connections", async () => {
    const platform = await start();
    const { hostname, port } = new URL(platform.url);
    // Like the spare connection that browsers open in advance.
    const spare = connect(Number(port), hostname).on("error", () => undefined);
    const slow = halfSent(platform.url, ada);
    await expect.poll(slow.isReceived).toBe(true);
    const ended = platform.interrupt();
    const ready = () =>
      fetch(`${platform.url}/api/ready`).then(
        ({ status }) => status,
        () => "refused",
      );
    await expect.poll(ready, { interval: 20 }).toBe(503);
    await expect.poll(async () => (await post(platform, "/login", ada)).status).toBe(503);
    // Longer than the worker is allowed to take.
    await sleep(4_000);
    await expect(ready()).resolves.toBe(503);
    slow.sendRest();
    await expect(slow.answer).resolves.toBe(401);
    const asked = performance.now();
    await expect(ended).resolves.toBe(0);
    expect(performance.now() - asked).toBeLessThan(10_000);
    spare.destroy();
  });

  it("exits immediately when interrupted a second time", async () => {
    const platform = await start();
    const endless = halfSent(platform.url, ada);
    await expect.poll(endless.isReceived).toBe(true);
    const asked = performance.now();
    void platform.interrupt();
    await sleep(1_500);
    await expect(platform.interrupt()).resolves.toBe(0);
    await expect(endless.answer).resolves.toBe("cut off");
    expect(performance.now() - asked).toBeLessThan(15_000);
  });

  it.runIf(isLong)("makes its files accessible only to its own account", async () => {
    // Files that the tests prepared are not the platform's.
    const { dataDir, url } = await start({ isFirstStart: true });
    const token = await newAccount(url, "private@example.org");
    const { project_id } = await call(url, "POST", "/create_sample_project", { token });
    await call(url, "POST", "/run_workflow", { token, body: { project_id, start_step: 0 } });
    await expect
      .poll(() => call(url, "GET", `/status?project_id=${project_id}`, { token }))
      .toMatchObject({ output_files: { step_0: expect.arrayContaining([expect.any(String)]) } });
    const open: string[] = [];
    for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (path.startsWith(join(dataDir, "postgres/"))) continue;
      const mode = await stat(path).then(
        (found) => found.mode & 0o077,
        () => 0,
      );
      if (mode !== 0) open.push(`${path} ${mode.toString(8)}`);
    }
    expect(open).toEqual([]);
    const looked = await readdir(dataDir);
    expect(looked).toEqual(expect.arrayContaining(["files", "logs"]));
  });

  it("recovers after it and everything it started was killed", async () => {
    const first = await start();
    await post(first, "/register", { ...ada, confirmPassword: ada.password });
    const { pid } = JSON.parse(await readFile(join(first.dataDir, "serve.json"), "utf8"));
    process.kill(pid, "SIGKILL");
    await first.interrupt();
    // The API and the worker notice that their parent is gone; the next start takes over the database.
    await expect
      .poll(() =>
        fetch(first.url).then(
          () => "up",
          () => "down",
        ),
      )
      .toBe("down");
    const second = await start({ dataDir: first.dataDir });
    expect((await post(second, "/login", ada)).status).toBe(200);
  });

  it.runIf(isLong)("runs alongside another instance", async () => {
    const first = await start();
    const second = await start();
    await post(first, "/register", { ...ada, confirmPassword: ada.password });
    expect((await post(second, "/login", ada)).status).toBe(401);
  });

  it("rejects a port blocked by browsers before starting anything", async () => {
    await expect(startPlatform({ environment: { PORT: "4190" } })).rejects.toThrow(
      "Browsers block port 4190",
    );
  });
});
