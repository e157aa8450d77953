import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { audit } from "../audit/audit.ts";
import { isUniqueViolation, type Database, type Db } from "../db/database.ts";
import { accountGone, ApiError } from "../http/api-error.ts";
import { EXAMPLE_OWNER } from "../projects/example-owner.ts";
import type { Attempts, Limit } from "./attempts.ts";
import { emailAddress, plainEmail } from "./email-address.ts";
import { argon2id, checkNewPassword, passwordCheck, type PasswordHasher } from "./passwords.ts";

export interface Registration {
  email: string;
  password: string;
  confirmPassword: string;
}

export interface Account {
  id: string;
  email: string;
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

export interface Accounts {
  /** Creates an account; its trial starts now. */
  register(registration: Registration): Promise<Account>;
  /**
   * The account of this email and password. The same refusal, after the same work, for an unknown email and a wrong
   * password; after too many of them rate_limited, for unknown emails too. They are counted separately for each known
   * device and each address of the account's sessions, and together for everywhere else, so a stranger's guesses do
   * not lock out the owner.
   */
  authenticate(email: string, password: string, from?: Origin): Promise<Account>;
  /** Asks a signed-in user for the password again. Throws password_wrong, or rate_limited after too many wrong ones. */
  confirmPassword(userId: string, password: string): Promise<ConfirmedPassword>;
  /** Replaces the password; in the caller's transaction when `query` is one. */
  setPassword(userId: string, password: string, query?: Db): Promise<void>;
  /** Replaces the password that was confirmed. Throws password_wrong if it has been replaced in the meantime. */
  replacePassword(confirmed: ConfirmedPassword, password: string, query: Db): Promise<void>;
  /** The account of an email, or undefined. */
  byEmail(email: string): Promise<Account | undefined>;
  /** The account of an id. */
  byId(userId: string): Promise<Account>;
}

const FAILURE_WINDOW_MS = 15 * 60_000;

export function openAccounts(parts: {
  database: Database;
  attempts: Attempts;
  /** Wrong passwords allowed per account in 15 minutes. */
  loginFailures: number;
  /** The start time of a trial that starts now. */
  now: () => Promise<Date>;
  hasher?: PasswordHasher;
}): Accounts {
  const { database, attempts, now, hasher = argon2id } = parts;
  const { db } = database;
  const passes = passwordCheck(hasher);
  const failures: Limit = {
    what: "login",
    max: parts.loginFailures,
    windowMs: FAILURE_WINDOW_MS,
  };
  // One attempt per account at a time, so parallel guesses cannot outrun the count.
  const trying = new Map<string, Promise<unknown>>();

  async function oneByOne<T>(who: string, task: () => Promise<T>): Promise<T> {
    const key = who.trim().toLowerCase();
    const mine = (trying.get(key) ?? Promise.resolve()).then(task, task);
    trying.set(key, mine);
    try {
      return await mine;
    } finally {
      if (trying.get(key) === mine) trying.delete(key);
    }
  }

  function find(email: string, address = "") {
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

  /**
   * Whether the password is the account's; counts wrong ones and resets the count on a correct one. Attempts against a
   * former password no longer count: an emailed reset link always lets its owner in.
   */
  function attempt(whose: string, hashed: string | undefined, password: string): Promise<boolean> {
    const who = hashed ? `${whose} ${createHash("sha256").update(hashed).digest("hex")}` : whose;
    return oneByOne(who, async () => {
      // Counted before it is checked, so guesses sent to several API processes at once cannot outrun the count.
      const { count } = await attempts.count(failures, who);
      if (count > failures.max) await attempts.check(failures, who);
      if (!(await passes(hashed, password))) return false;
      await attempts.clear(failures, who);
      return true;
    });
  }

  return {
    async register(registration) {
      const email = checkRegistration(registration);
      const passwordHash = await hasher.hash(registration.password);
      try {
        const id = randomUUID();
        const created = await now();
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
    },
    async authenticate(email, password, from) {
      const user = await find(email, from?.address);
      const device = user && (await from?.deviceOf(user.id));
      // The account's own spelling: another spelling of the same address must not get its own count.
      const account = user?.email ?? email;
      const whose = device
        ? `${account} device ${device}`
        : user?.address_known
          ? `${account} from ${from?.address}`
          : account;
      if (!(await attempt(whose, user?.password_hash, password)) || !user) {
        await audit(db, {
          userId: user?.id ?? randomUUID(),
          what: "sign_in_failed",
          by: "visitor",
        });
        throw new ApiError("credentials_wrong");
      }
      return { id: user.id, email: user.email };
    },
    async confirmPassword(userId, password) {
      const user = await db
        .selectFrom("users")
        .select("password_hash")
        .where("id", "=", userId)
        .executeTakeFirstOrThrow(() => accountGone());
      // Callers are signed in, so other people's guesses at the login do not count.
      if (!(await attempt(`signed in ${userId}`, user.password_hash, password))) {
        await audit(db, { userId, what: "password_refused" });
        throw new ApiError("password_wrong");
      }
      return { userId, hash: user.password_hash };
    },
    async setPassword(userId, password, query = db) {
      await query
        .updateTable("users")
        .set({ password_hash: await hasher.hash(password) })
        .where("id", "=", userId)
        .returning("id")
        .executeTakeFirstOrThrow(() => accountGone());
    },
    async replacePassword({ userId, hash }, password, query) {
      const { numUpdatedRows } = await query
        .updateTable("users")
        .set({ password_hash: await hasher.hash(password) })
        .where("id", "=", userId)
        // Of several simultaneous changes the first wins: the others used a password that is no longer valid.
        .where("password_hash", "=", hash)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw new ApiError("password_wrong");
    },
    async byEmail(email) {
      const user = await find(email);
      return user && { id: user.id, email: user.email };
    },
    byId: (userId) =>
      db
        .selectFrom("users")
        .select(["id", "email"])
        .where("id", "=", userId)
        .executeTakeFirstOrThrow(),
  };
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
