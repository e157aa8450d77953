import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { startTestServer } from "./server.ts";

it("contains no address of a user who signs up twice, nor does any other log of the instance", async () => {
  const lines: string[] = [];
  await using server = await startTestServer(
    { STIPPLE_LOG_LEVEL: "debug" },
    { logTo: { write: (line) => void lines.push(line) } },
  );
  const body = { email: "twice@example.org", password: "secret1", confirmPassword: "secret1" };
  const again = { ...body, email: "TWICE@example.org" };
  expect((await server.call("POST", "/register", { body })).status).toBe(201);
  expect((await server.call("POST", "/register", { body: again })).status).toBe(409);

  const folder = dirname(server.config.dataDir);
  const database = join(folder, "database", "postgres.log");
  await expect.poll(() => readFile(database, "utf8")).toContain("duplicate key");
  const logs = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".log"));
  expect(logs).toContain(join("database", "postgres.log"));
  for (const log of logs) {
    expect(await readFile(join(folder, log), "utf8")).not.toMatch(/twice/i);
  }
  expect(lines.join("")).toContain("/api/register");
  expect(lines.join("")).not.toMatch(/twice/i);
});
