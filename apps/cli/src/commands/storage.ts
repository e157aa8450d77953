import type { StorageCheckOptions } from "@stipple/server/backup/storage-check";
import type { Command } from "commander";

/** `stipple storage check`: checks that storage and database agree. */
export function addStorage(program: Command): void {
  program
    .command("storage")
    .description("maintain stored files")
    .command("check")
    .description("list unreferenced, missing and damaged files")
    .option("--deep", "read every file and compare it with its digest", false)
    .option("--repair", "repair damaged files from other copies; implies --deep", false)
    .option("--from <place>", "a folder or bucket with backups to repair from")
    .option("--remove", "remove unreferenced files", false)
    .action(async (options: StorageCheckOptions) => {
      const { loadEnvironment } = await import("../serve/settings.ts");
      const { runningDatabaseUrl } = await import("../serve/postgres.ts");
      const { storageCheck } = await import("@stipple/server/backup/storage-check");
      const environment = { ...loadEnvironment() };
      environment["DATABASE_URL"] ||= await runningDatabaseUrl(
        environment["STIPPLE_DATA_DIR"] ?? "",
      );
      const isWell = await storageCheck(environment, options, (line) =>
        process.stdout.write(`${line}\n`),
      );
      process.exitCode = isWell ? 0 : 1;
    });
}
