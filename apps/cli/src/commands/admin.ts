import { InvalidArgumentError, type Command } from "commander";
import type { Context } from "@stipple/server/context";
import type { Printed } from "@stipple/server/admin/admin";

interface Output {
  json: boolean;
}

/** `stipple admin`: an operator's look at runs, people and storage. */
export function addAdmin(program: Command): void {
  const admin = program
    .command("admin")
    .description(
      "manage runs, people and storage; actions that concern a person are recorded in their audit log",
    );

  const runs = admin.command("runs").description("the analyses that people have asked for");
  forPrograms(runs.command("list").description("runs, the newest first"))
    .option("--status <list>", "only these, e.g. pending,running,failed", statuses, [])
    .option("--person <email>", "only this person's")
    .option("--limit <n>", "at most so many", wholeNumber, 50)
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
  onRun("retry", "ask for a failed or cancelled run again, from where it stopped");
  onRun("cancel", "end a queued or running run");
  onRun("requeue", "take a running run from its worker and put it back into the queue");

  const people = admin.command("people").description("accounts");
  forPrograms(people.command("list").description("every account")).action(
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
  onPerson("show", "an account with its plan and projects");
  onPerson("quota", "what an account's plan allows, what is used, what is stored");
  onPerson(
    "remove-second-factor",
    "take authenticator app, passkeys and recovery codes from somebody who has lost them; ends every session",
  );

  forPrograms(admin.command("storage").description("bytes by account and the largest projects"))
    .option("--limit <n>", "at most so many of each", wholeNumber, 20)
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
  const { loadEnvironment } = await import("../serve/settings.ts");
  const { runningDatabaseUrl } = await import("../serve/postgres.ts");
  const { administer } = await import("@stipple/server/admin/admin");
  const environment = { ...loadEnvironment() };
  environment["DATABASE_URL"] ||= await runningDatabaseUrl(environment["STIPPLE_DATA_DIR"] ?? "");
  const { data, lines } = await administer(environment, work);
  process.stdout.write(json ? `${JSON.stringify(data, null, 2)}\n` : `${lines.join("\n")}\n`);
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError("A whole number from 1.");
  return value;
}

const STATUSES = ["pending", "running", "completed", "failed", "cancelled"];

function statuses(text: string): string[] {
  const list = text.split(",").map((item) => item.trim());
  if (list.some((item) => !STATUSES.includes(item))) {
    throw new InvalidArgumentError(`Some of ${STATUSES.join(", ")}, separated by commas.`);
  }
  return list;
}
