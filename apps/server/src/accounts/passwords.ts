import { randomUUID } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { PASSWORD_MIN } from "@stipple/contract";
import { ApiError } from "../http/api-error.ts";

/** Longer passwords are refused, because hashing is slow by design. */
const LONGEST_PASSWORD = 1024;

/** Argon2id with OWASP's settings, which are the library's defaults. */
export function hashOfPassword(password: string): Promise<string> {
  return hash(password);
}

/** Compared with where there is no account. */
const nobody = hash(randomUUID());

/** Whether a password is the hashed one; takes the same time where nothing is hashed because there is no account. */
export async function isPassword(
  hashed: string | undefined,
  password: string,
  compare: typeof verify = verify,
): Promise<boolean> {
  if (password.length > LONGEST_PASSWORD) return false;
  const passes = await compare(hashed ?? (await nobody), password);
  return passes && hashed !== undefined;
}

/** The specification's checks of a new password, in its order. */
export function checkNewPassword(password: string, confirmation: string): void {
  if (password.length < PASSWORD_MIN) throw new ApiError("password_too_short");
  if (password.length > LONGEST_PASSWORD) {
    throw new ApiError(
      "invalid_request",
      `Password must be at most ${LONGEST_PASSWORD} characters long.`,
    );
  }
  if (password !== confirmation) throw new ApiError("passwords_differ");
}
