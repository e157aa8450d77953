import { randomUUID } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { PASSWORD_MIN } from "@stipple/contract";
import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import { isUniqueViolation, type Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";

export interface Registration {
  email: string;
  password: string;
  confirmPassword: string;
}

export interface Accounts {
  /** Creates an account; its trial starts now. */
  register(registration: Registration): Promise<void>;
  /** The account of this e-mail and password. The same refusal, after the same time, for an unknown e-mail and a wrong password. */
  authenticate(email: string, password: string): Promise<{ id: string; email: string }>;
}

/** Longer ones are refused: hashing is made to be slow. */
const LONGEST_PASSWORD = 1024;
const LONGEST_EMAIL = 254;

export function openAccounts(db: Db, clock: Clock): Accounts {
  // Compared against when there is no such account, so that the answer takes as long. Argon2id with OWASP's settings.
  const nobody = hash(randomUUID());
  return {
    async register(registration) {
      const email = registration.email.trim();
      checkRegistration({ ...registration, email });
      const passwordHash = await hash(registration.password);
      try {
        await db
          .insertInto("users")
          .values({
            id: randomUUID(),
            email,
            password_hash: passwordHash,
            created_at: clock.now(),
          })
          .execute();
      } catch (error) {
        if (isUniqueViolation(error, "users_email")) throw new ApiError("email_taken");
        throw error;
      }
    },
    async authenticate(email, password) {
      const user = await db
        .selectFrom("users")
        .select(["id", "email", "password_hash"])
        .where(sql<boolean>`lower(email) = lower(${email.trim()})`)
        .executeTakeFirst();
      const passes =
        password.length <= LONGEST_PASSWORD &&
        (await verify(user?.password_hash ?? (await nobody), password));
      if (!user || !passes) throw new ApiError("credentials_wrong");
      return { id: user.id, email: user.email };
    },
  };
}

/** The specification's checks in its order. */
function checkRegistration({ email, password, confirmPassword }: Registration): void {
  if (email === "" || password === "" || confirmPassword === "") {
    throw new ApiError("fields_required");
  }
  // A NUL cannot be stored as text.
  if (!/^[^\s@\0]+@[^\s@\0]+\.[^\s@\0]+$/.test(email) || email.length > LONGEST_EMAIL) {
    throw new ApiError("email_invalid");
  }
  if (password.length < PASSWORD_MIN) throw new ApiError("password_too_short");
  if (password.length > LONGEST_PASSWORD) {
    throw new ApiError(
      "invalid_request",
      `Password must be at most ${LONGEST_PASSWORD} characters long.`,
    );
  }
  if (password !== confirmPassword) throw new ApiError("passwords_differ");
}
