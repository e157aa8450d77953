import type { Command } from "commander";

/** The commands of a platform on more than one machine, each a process in the foreground. */
export function addPlatform(program: Command): void {
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
    .description("check settings, database, storage, mail, payments, disk, memory and clock")
    .action(async () => {
      const { loadEnvironment } = await import("../serve/settings.ts");
      const { runningDatabaseUrl } = await import("../serve/postgres.ts");
      const { doctor } = await import("@stipple/server/doctor/doctor");
      const environment = { ...loadEnvironment() };
      environment["DATABASE_URL"] ||= await runningDatabaseUrl(
        environment["STIPPLE_DATA_DIR"] ?? "",
      );
      const isWell = await doctor(environment, (line) => process.stdout.write(`${line}\n`));
      // Not exitCode: a check still waiting for a response would keep the process running.
      process.exit(isWell ? 0 : 1);
    });
}
