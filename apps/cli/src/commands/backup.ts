import type { StorageCheckOptions } from "@stipple/server/backup/storage-check";
import type { Command } from "commander";

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

/** `stipple backup`, `stipple backup verify` and `stipple restore`. */
export function addBackup(program: Command): void {
  const backup = program
    .command("backup")
    .description(
      "back up the database and files at one point in time, whether or not Stipple is running",
    )
    .option("--to <place>", "a folder or s3://bucket/prefix; backups in one location share files")
    .action(async ({ to }: { to?: string }) => {
      if (to === undefined) backup.error("error: required option '--to <place>' not specified");
      const { withDatabase } = await import("../serve/instance-database.ts");
      const { backUpCommand } = await import("@stipple/server/backup/commands");
      const isWhole = await withDatabase({ mayRun: true }, (environment) =>
        backUpCommand(environment, to!, tell),
      );
      process.exitCode = isWhole ? 0 : 1;
    });
  backup
    .command("verify")
    .description("read every byte of a backup and check it")
    .requiredOption("--from <place>", "a folder or s3://bucket/prefix")
    .option("--backup <name>", "which backup (default: the newest)")
    .action(async ({ from, backup: name }: { from: string; backup?: string }) => {
      const { loadEnvironment } = await import("../serve/settings.ts");
      const { verifyCommand } = await import("@stipple/server/backup/commands");
      const isWhole = await verifyCommand(loadEnvironment(), from, name, tell);
      process.exitCode = isWhole ? 0 : 1;
    });
  program
    .command("restore")
    .description("restore a stopped instance from a backup")
    .requiredOption("--from <place>", "a folder or s3://bucket/prefix")
    .option("--backup <name>", "which backup (default: the newest)")
    .option("--force", "replace everything in the instance", false)
    .option(
      "--new-secret",
      "accept a different signing secret: ends sessions, share links, authenticator apps, and recovery codes",
      false,
    )
    .action(
      async (options: { from: string; backup?: string; force: boolean; newSecret: boolean }) => {
        const { withDatabase } = await import("../serve/instance-database.ts");
        const { restoreCommand } = await import("@stipple/server/backup/commands");
        await withDatabase({ isNew: true, mayRun: false }, (environment) =>
          restoreCommand(environment, options.from, options.backup, options, tell),
        );
      },
    );
}

/** `stipple storage check`: checks that storage and database agree. */
export function addStorage(program: Command): void {
  program
    .command("storage")
    .description("maintain stored files")
    .command("check")
    .description("list unreferenced, missing, and damaged files")
    .option("--deep", "read every file and compare it with its digest", false)
    .option("--repair", "repair damaged files from other copies; implies --deep", false)
    .option("--from <place>", "a folder or bucket with backups to repair from")
    .option("--remove", "remove unreferenced files", false)
    .action(async (options: StorageCheckOptions) => {
      const { withDatabase } = await import("../serve/instance-database.ts");
      const { storageCheck } = await import("@stipple/server/backup/storage-check");
      const isWell = await withDatabase({ mayRun: true }, (environment) =>
        storageCheck(environment, options, tell),
      );
      process.exitCode = isWell ? 0 : 1;
    });
}
