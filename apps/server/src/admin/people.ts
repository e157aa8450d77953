import { removeAllFactors } from "../accounts/second-factor.ts";
import { UNLIMITED, type Subscription } from "@stipple/contract";
import { sql } from "kysely";
import { audit, auditEach, type Fact } from "../audit/audit.ts";
import { storageLimits, storedBytes } from "../billing/storage-room.ts";
import type { Context } from "../context.ts";
import type { Db } from "../db/database.ts";
import { countOf } from "../db/rows.ts";
import { EXAMPLE_OWNER } from "../projects/example-owner.ts";
import { AdminError, megabytes, table, type Printed } from "./admin.ts";

interface Person {
  id: string;
  email: string;
  created_at: Date;
}

/** Throws an AdminError when nobody has this email. */
export async function personByEmail(db: Db, email: string): Promise<Person> {
  const person = await db
    .selectFrom("users")
    .select(["id", "email", "created_at"])
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where("id", "!=", EXAMPLE_OWNER)
    .executeTakeFirst();
  if (!person) throw new AdminError(`No account has the email ${email}.`);
  return person;
}

/** All accounts, by number of runs. Emails are personal data, so each account's log records the access. */
export async function listPeople({ database }: Context): Promise<Printed> {
  const rows = await database.transaction(async (transaction) => {
    const people = await transaction
      .selectFrom("users")
      .select((of) => [
        "id",
        "email",
        "created_at",
        of
          .selectFrom("projects")
          .select((count) => count.fn.countAll<string>().as("count"))
          .whereRef("projects.user_id", "=", "users.id")
          .as("projects"),
        of
          .selectFrom("runs")
          .select((count) => count.fn.countAll<string>().as("count"))
          .whereRef("runs.user_id", "=", "users.id")
          .as("runs"),
      ])
      .where("id", "!=", EXAMPLE_OWNER)
      .orderBy("created_at")
      .execute();
    const ids = people.map(({ id }) => id);
    await auditEach(transaction, ids, actOf("listed the accounts"));
    return people;
  });
  const data = rows.map((row) => ({
    ...row,
    projects: Number(row.projects),
    runs: Number(row.runs),
  }));
  return {
    data,
    lines: table(
      ["email", "id", "since", "projects", "runs"],
      data.map((row) => [
        row.email,
        row.id,
        row.created_at.toISOString().slice(0, 10),
        String(row.projects),
        String(row.runs),
      ]),
    ),
  };
}

/** An account with its plan and projects. */
export async function showPerson(context: Context, email: string): Promise<Printed> {
  const { database, entitlements, projects } = context;
  const person = await personByEmail(database.db, email);
  await noteAct(database.db, person.id, "viewed the account");
  const plan = await entitlements.subscriptionOf(person.id);
  const list = await projects.list(person.id);
  return {
    data: { ...person, plan, projects: list },
    lines: [
      `${person.email}  ${person.id}  since ${person.created_at.toISOString().slice(0, 10)}`,
      planInWords(plan),
      "",
      ...table(
        ["project", "name", "status"],
        list.map((project) => [project.id, project.name, project.status]),
      ),
    ],
  };
}

/** An account's quota and how much of it is used. */
export async function quotaOf(context: Context, email: string): Promise<Printed> {
  const { database, entitlements } = context;
  const person = await personByEmail(database.db, email);
  await noteAct(database.db, person.id, "viewed the plan");
  const plan = await entitlements.subscriptionOf(person.id);
  const bytes = await storedBytes(database.db, person.id);
  const own = database.db.selectFrom("projects").where("user_id", "=", person.id);
  const used = { projects: await countOf(own), bytes };
  const limits = storageLimits(plan.subscription_tier);
  return {
    data: { email: person.email, plan, ...used, limits },
    lines: [
      `${person.email}: ${planInWords(plan)}; ${used.projects} of ${limits.projects} projects; ${megabytes(bytes)} of ${limits.storageGb} GB stored.`,
    ],
  };
}

/** For users who have lost their authenticator app, passkeys, and recovery codes. */
export async function removeSecondFactor(context: Context, email: string): Promise<Printed> {
  const person = await personByEmail(context.database.db, email);
  const had = await removeAllFactors(context, person.id, (transaction) =>
    noteAct(transaction, person.id, "removed the second factor"),
  );
  if (!had) throw new AdminError(`${person.email} has no second factor.`);
  return {
    data: { email: person.email, removed: had },
    lines: [`${person.email} now signs in with the password only. All sessions were ended.`],
  };
}

function planInWords(plan: Subscription): string {
  const limit = plan.analyses_limit === UNLIMITED ? "unlimited" : String(plan.analyses_limit);
  return `plan ${plan.subscription_tier}, ${plan.subscription_status}, until ${plan.subscription_end_date?.slice(0, 10) ?? "further notice"}, ${plan.analyses_count} of ${limit} analyses used`;
}

/** Notes in an account's log what the operator did. */
export function noteAct(
  db: Db,
  userId: string,
  action: string,
  about: Record<string, string> = {},
): Promise<void> {
  return audit(db, { userId, ...actOf(action, about) });
}

function actOf(action: string, about = {}): Omit<Fact, "userId"> {
  return { what: "operator_acted", by: "operator", about: { action, ...about } };
}
