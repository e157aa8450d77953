import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareDatabase } from "../src/db/migrate.ts";
import { doctor } from "../src/doctor/doctor.ts";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    STIPPLE_SECRET: "the secret of the first process on this database",
  });
  // As the first process on this database would.
  await prepareDatabase(server.config, { migrates: false });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Starts a process that ought to be refused; its exit code and what it says. */
function start(
  entry: "main-api" | "main-worker",
  environment: NodeJS.ProcessEnv,
): Promise<{ code: unknown; says: string }> {
  const path = fileURLToPath(new URL(`../src/${entry}.ts`, import.meta.url));
  const env = { ...process.env, ...server.environment, PORT: "0", ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [path], { env, timeout: 60_000 }, (error, _out, stderr) => {
      const says = stderr.replaceAll(/^\(.*\n/gm, "").trim();
      resolve({ code: error?.code, says });
    });
  });
}

const other = (path: string): string => server.config.databaseUrl.replace(/\/stipple$/, path);

describe("a process is refused in one sentence", () => {
  it.each([
    [
      "an unknown setting",
      () => ({ STIPPLE_WORKER_COUNT: "3" }),
      /^STIPPLE_WORKER_COUNT is no setting of Stipple/,
    ],
    [
      "another secret than the database knows",
      () => ({ STIPPLE_SECRET: "x".repeat(40) }),
      /^The secret of this process is not the one .* set STIPPLE_SECRET to the same value everywhere/,
    ],
    [
      "a database without the schema",
      () => ({ DATABASE_URL: other("/postgres") }),
      /^The database postgres at 127.0.0.1:\d+ has no tables of Stipple yet: start the API first/,
    ],
    [
      "a database that does not exist",
      () => ({ DATABASE_URL: other("/nowhere") }),
      /^There is no database nowhere at .*: create it, or correct DATABASE_URL\.$/,
    ],
    [
      "a wrong password",
      () => ({ DATABASE_URL: server.config.databaseUrl.replace(/:[^:@]+@/, ":wrong@") }),
      /^The database .* refuses the account in DATABASE_URL/,
    ],
  ])("for %s", async (_what, environment, sentence) => {
    const { code, says } = await start("main-worker", environment());
    expect(says).toMatch(sentence);
    expect(says.split("\n")).toHaveLength(1);
    expect(code).toBe(78);
  });

  it("for a database that is away, with a code that asks to be started again", async () => {
    const { code, says } = await start("main-worker", {
      DATABASE_URL: "postgresql://stipple@127.0.0.1:9/stipple",
    });
    expect(says).toMatch(/^The database .* cannot be reached \(ECONNREFUSED\): check DATABASE_URL/);
    expect(code).toBe(1);
  });

  it("for a database of a newer version, the API as well", async () => {
    const { db } = server.context.database;
    const future = { name: "9999-future", timestamp: new Date().toISOString() };
    await db
      .insertInto("kysely_migration" as never)
      .values(future as never)
      .execute();
    try {
      for (const entry of ["main-worker", "main-api"] as const) {
        const { code, says } = await start(entry, {});
        expect(says).toMatch(
          /^The database .* is of a newer version of Stipple \(9999-future\) than this one: update Stipple on this machine\.$/,
        );
        expect(code).toBe(78);
      }
    } finally {
      await db
        .deleteFrom("kysely_migration" as never)
        .where("name" as never, "=", "9999-future" as never)
        .execute();
    }
  });
});

describe("stipple doctor", () => {
  it("finds nothing wrong here, and says what is elsewhere", async () => {
    const lines: string[] = [];
    expect(await doctor(server.environment, (line) => lines.push(line))).toBe(true);
    expect(lines.join("\n")).toMatch(/^ok +database +stipple at 127.0.0.1/m);
    expect(lines.join("\n")).toMatch(/^ok +clock +0\.\d s apart/m);

    const wrong: string[] = [];
    const environment = {
      ...server.environment,
      STIPPLE_STORAGE: `file:${fileURLToPath(import.meta.url)}/below-a-file`,
      SMTP_URL: "smtp://127.0.0.1:9",
      STIPPLE_API_CONNECTIONS: "400",
    };
    expect(await doctor(environment, (line) => wrong.push(line))).toBe(false);
    for (const what of ["storage", "mail", "connections"]) {
      expect(wrong.join("\n")).toMatch(new RegExp(`^WRONG +${what} `, "m"));
    }
  });
});
