import { InvalidArgumentError, type Command } from "commander";
import type { Context } from "@stipple/server/context";
import type { Printed } from "@stipple/server/admin/admin";

interface Output {
  json: boolean;
}

/** `stipple admin`: runs, accounts, and storage for operators. */
export function addAdmin(program: Command): void {
  const admin = program
    .command("admin")
    .description(
      "manage runs, accounts, and storage; actions on an account are recorded in its audit log",
    );

  const runs = admin.command("runs").description("requested analyses");
  forPrograms(runs.command("list").description("list runs, newest first"))
    .option(
      "--status <list>",
      "only runs with these statuses, e.g. pending,running,failed",
      statuses,
      [],
    )
    .option("--person <email>", "only this account's runs")
    .option("--limit <n>", "maximum number of runs", wholeNumber, 50)
    .action(async ({ json, status, person, limit }: Output & ListOptions) => {
      const { listRuns } = await import("@stipple/server/admin/runs");
      await print(json, (context) =>
        listRuns(context, { statuses: status as never, email: person, limit }),
      );
    });
  const onRun = (name: "retry" | "cancel" | "requeue", description: string): void => {
    forPrograms(
      runs.command(name).argument("<run>", "the run's id").description(description),
    ).action(async (run: string, { json }: Output) => {
      const { retryRun, cancelRun, requeueRun } = await import("@stipple/server/admin/runs");
      const work = { retry: retryRun, cancel: cancelRun, requeue: requeueRun }[name];
      await print(json, (context) => work(context, run));
    });
  };
  onRun("retry", "restart a failed or canceled run from where it stopped");
  onRun("cancel", "cancel a queued or running run");
  onRun("requeue", "take a running run from its worker and put it back in the queue");

  const people = admin.command("people").description("manage accounts");
  forPrograms(people.command("list").description("list all accounts")).action(
    async ({ json }: Output) => {
      const { listPeople } = await import("@stipple/server/admin/people");
      await print(json, listPeople);
    },
  );
  const onPerson = (name: "show" | "quota" | "remove-second-factor", description: string): void => {
    forPrograms(
      people.command(name).argument("<email>", "the account's email").description(description),
    ).action(async (email: string, { json }: Output) => {
      const { showPerson, quotaOf, removeSecondFactor } =
        await import("@stipple/server/admin/people");
      const work = { show: showPerson, quota: quotaOf, "remove-second-factor": removeSecondFactor };
      await print(json, (context) => work[name](context, email));
    });
  };
  onPerson("show", "show an account with its plan and projects");
  onPerson("quota", "show what an account's plan allows, and what is used and stored");
  onPerson(
    "remove-second-factor",
    "remove a lost authenticator app, passkeys, and recovery codes from an account; ends all its sessions",
  );

  forPrograms(
    admin.command("storage").description("show bytes by account and the largest projects"),
  )
    .option("--limit <n>", "maximum number of each", wholeNumber, 20)
    .action(async ({ json, limit }: Output & { limit: number }) => {
      const { storageUse } = await import("@stipple/server/admin/storage");
      await print(json, (context) => storageUse(context, { limit }));
    });
}

interface ListOptions {
  status: string[];
  person?: string;
  limit: number;
}

function forPrograms(command: Command): Command {
  return command.option("--json", "print JSON", false);
}

async function print(json: boolean, work: (context: Context) => Promise<Printed>): Promise<void> {
  const { withDatabase } = await import("../serve/instance-database.ts");
  const { administer } = await import("@stipple/server/admin/admin");
  const { data, lines } = await withDatabase({ mayRun: true }, (environment) =>
    administer(environment, work),
  );
  process.stdout.write(json ? `${JSON.stringify(data, null, 2)}\n` : `${lines.join("\n")}\n`);
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return value;
}

const STATUSES = ["pending", "running", "completed", "failed", "cancelled"];

function statuses(text: string): string[] {
  const list = text.split(",").map((item) => item.trim());
  if (list.some((item) => !STATUSES.includes(item))) {
    throw new InvalidArgumentError(`Use any of ${STATUSES.join(", ")}, separated by commas.`);
  }
  return list;
}
