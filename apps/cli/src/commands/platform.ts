import type { Command } from "commander";

/** The whole platform on one machine, and its parts on more than one, each a process in the foreground. */
export function addPlatform(program: Command): void {
  program
    .command("serve")
    .description("start the platform: web pages, API, worker, and database")
    .action(async () => {
      const { serve } = await import("../serve/serve.ts");
      await serve();
    });
  program
    .command("api")
    .description("start one API server with the web pages, using a shared database and storage")
    .action(async () => {
      const { loadEnvironment } = await import("../serve/settings.ts");
      if (!loadEnvironment()["STIPPLE_WEB_DIR"]) {
        const { buildWebApp, compressWebApp } = await import("../serve/web-build.ts");
        await buildWebApp();
        await compressWebApp();
      }
      await import("@stipple/server/main-api");
    });
  program
    .command("worker")
    .description("start one worker, which runs one analysis at a time")
    .action(async () => {
      const { loadEnvironment } = await import("../serve/settings.ts");
      loadEnvironment();
      await import("@stipple/server/main-worker");
    });
  program
    .command("migrate")
    .description(
      "migrate the database to this version's schema (requires an account that may change it)",
    )
    .action(async () => {
      const { loadEnvironment } = await import("../serve/settings.ts");
      loadEnvironment();
      await import("@stipple/server/main-migrate");
    });
  program
    .command("doctor")
    .description("check settings, database, storage, mail, payments, disk, memory, and clock")
    .action(async () => {
      const { runningInstance } = await import("../serve/instance-database.ts");
      const { doctor } = await import("@stipple/server/doctor/doctor");
      const tell = (line: string) => process.stdout.write(`${line}\n`);
      const isWell = await doctor(await runningInstance(), tell);
      // Not exitCode: a check still waiting for a response would keep the process running.
      process.exit(isWell ? 0 : 1);
    });
}
