import { hash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { audit } from "../audit/audit.ts";
import { isUniqueViolation, type Db } from "../db/database.ts";
import { accountGone, ApiError } from "../http/api-error.ts";
import { serializeByKey } from "../operations/serialize-by-key.ts";
import { EXAMPLE_OWNER } from "../projects/example-owner.ts";
import { assertAttempt, forgetAttempts } from "./attempts.ts";
import { emailAddress, plainEmail } from "./email-address.ts";
import { checkNewPassword, hashOfPassword, isPassword } from "./passwords.ts";
import type { AccountServices } from "./services.ts";

export interface Registration {
  email: string;
  password: string;
  confirmPassword: string;
}

export interface Account {
  id: string;
  email: string;
}

/** An account whose password was right, with the hash that it was compared with. */
export interface Authenticated extends Account {
  hash: string;
}

/** A password at the time its owner confirmed it. */
export interface ConfirmedPassword {
  readonly userId: string;
  readonly hash: string;
}

/** Where a sign-in comes from. */
export interface Origin {
  address: string;
  /** An id of the browser if it is a known one of this account. */
  deviceOf(userId: string): Promise<string | null>;
}

const FAILURE_WINDOW_MS = 15 * 60_000;

/** Creates an account; its trial starts now. */
export async function createAccount(
  { billingClock, database }: AccountServices,
  registration: Registration,
): Promise<Account> {
  const email = checkRegistration(registration);
  const passwordHash = await hashOfPassword(registration.password);
  try {
    const id = randomUUID();
    const created = await billingClock.now();
    await database.transaction(async (transaction) => {
      await transaction
        .insertInto("users")
        .values({ id, email, password_hash: passwordHash, created_at: created })
        .execute();
      await audit(transaction, { userId: id, what: "account_created" });
    });
    return { id, email };
  } catch (error) {
    if (isUniqueViolation(error, "users_email")) throw new ApiError("email_taken");
    throw error;
  }
}

/** The specification's checks, in its order. Returns the address to store. */
function checkRegistration({ email, password, confirmPassword }: Registration): string {
  if (email.trim() === "" || password === "" || confirmPassword === "") {
    throw new ApiError("fields_required");
  }
  const address = emailAddress(email);
  checkNewPassword(password, confirmPassword);
  return address;
}

/**
 * The account of this email and password. The same refusal, after the same work, for an unknown email and a wrong
 * password; after too many of them rate_limited, for unknown emails too. They are counted separately for each known
 * device and each address of the account's sessions, and together for everywhere else, so a stranger's guesses do
 * not lock out the owner.
 */
export async function authenticate(
  services: AccountServices,
  { email, password }: { email: string; password: string },
  from: Origin,
  passes = isPassword,
): Promise<Authenticated> {
  const { db } = services.database;
  const user = await find(db, email, from.address);
  const device = user && (await from.deviceOf(user.id));
  // One spelling: another of the same address must not get its own count, nor tell whether there is an account.
  const account = user?.email ?? plainEmail(email);
  const whose = device
    ? `${account} device ${device}`
    : user?.address_known
      ? `${account} from ${from.address}`
      : account;
  const isRight = await attempt(services, whose, user?.password_hash, () =>
    passes(user?.password_hash, password),
  );
  if (!isRight || !user) {
    await audit(db, { userId: user?.id ?? randomUUID(), what: "sign_in_failed", by: "visitor" });
    throw new ApiError("credentials_wrong");
  }
  return { id: user.id, email: user.email, hash: user.password_hash };
}

/** Asks a signed-in user for the password again. Throws password_wrong, or rate_limited after too many wrong ones. */
export async function confirmPassword(
  services: AccountServices,
  userId: string,
  password: string,
): Promise<ConfirmedPassword> {
  const { db } = services.database;
  const { password_hash: hash } = await db
    .selectFrom("users")
    .select("password_hash")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow(() => accountGone());
  // Callers are signed in, so other people's guesses at the login do not count.
  if (!(await attempt(services, `signed in ${userId}`, hash, () => isPassword(hash, password)))) {
    await audit(db, { userId, what: "password_refused" });
    throw new ApiError("password_wrong");
  }
  return { userId, hash };
}

/** One attempt per account at a time, so parallel guesses cannot outrun the count. */
const inTurn = serializeByKey<string>();

/**
 * Counts wrong passwords and resets the count on a correct one. Attempts against a former password no longer count: an
 * emailed reset link always lets its owner in.
 */
function attempt(
  services: AccountServices,
  whose: string,
  hashed: string | undefined,
  passes: () => Promise<boolean>,
): Promise<boolean> {
  const who = hashed ? `${whose} ${hash("sha256", hashed)}` : whose;
  const max = services.config.loginFailures;
  const failures = { what: "login", max, windowMs: FAILURE_WINDOW_MS };
  return inTurn(who.trim().toLowerCase(), async () => {
    // Counted before it is checked, so guesses sent to several API processes at once cannot outrun the count.
    await assertAttempt(services, failures, who);
    if (!(await passes())) return false;
    await forgetAttempts(services, failures, who);
    return true;
  });
}

function find(db: Db, email: string, address = "") {
  // A NUL can neither be stored as text nor queried. Early versions stored addresses as they were typed: whoever
  // types such an address is meant first.
  const typed = email.includes("\0") ? "" : email.trim();
  const asked = email.includes("\0") ? "" : plainEmail(email);
  return db
    .selectFrom("users")
    .select((select) => [
      "id",
      "email",
      "password_hash",
      select
        .exists(
          select
            .selectFrom("sessions")
            .select("sessions.id")
            .whereRef("sessions.user_id", "=", "users.id")
            .where("sessions.address", "=", address),
        )
        .as("address_known"),
    ])
    .where(sql<boolean>`lower(email) in (lower(${typed}), lower(${asked}))`)
    .where("id", "!=", EXAMPLE_OWNER)
    .orderBy(sql`lower(email) = lower(${typed})`, "desc")
    .executeTakeFirst();
}

export async function setPassword(query: Db, userId: string, password: string): Promise<void> {
  await query
    .updateTable("users")
    .set({ password_hash: await hashOfPassword(password) })
    .where("id", "=", userId)
    .returning("id")
    .executeTakeFirstOrThrow(() => accountGone());
}

/** Replaces the password that was confirmed. Throws password_wrong if it has been replaced in the meantime. */
export async function replacePassword(
  query: Db,
  { userId, hash }: ConfirmedPassword,
  password: string,
): Promise<void> {
  const { numUpdatedRows } = await query
    .updateTable("users")
    .set({ password_hash: await hashOfPassword(password) })
    .where("id", "=", userId)
    // Of several simultaneous changes the first wins: the others used a password that is no longer valid.
    .where("password_hash", "=", hash)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new ApiError("password_wrong");
}

/**
 * Keeps the password that was checked until the transaction ends. Throws credentials_wrong if it has been replaced in the
 * meantime: comparing takes time, and attempts wait for each other.
 */
export async function holdPassword(query: Db, { id, hash }: Authenticated): Promise<void> {
  const held = await query
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("password_hash", "=", hash)
    .forShare()
    .executeTakeFirst();
  if (!held) throw new ApiError("credentials_wrong");
}

/** The account of an email, or undefined. */
export async function accountByEmail(db: Db, email: string): Promise<Account | undefined> {
  const user = await find(db, email);
  return user && { id: user.id, email: user.email };
}

export function accountById(db: Db, userId: string): Promise<Account> {
  return db
    .selectFrom("users")
    .select(["id", "email"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
}
