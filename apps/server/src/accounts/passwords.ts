import { randomUUID } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { PASSWORD_MIN } from "@stipple/contract";
import { ApiError } from "../http/api-error.ts";

/** Argon2id with OWASP's settings, which are the library's defaults. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(hashed: string, password: string): Promise<boolean>;
}

export const argon2id: PasswordHasher = {
  hash: (password) => hash(password),
  verify: (hashed, password) => verify(hashed, password),
};

/** Longer passwords are refused, because hashing is slow by design. */
const LONGEST_PASSWORD = 1024;

/** Checks passwords in the same time whether or not there is an account to compare with. */
export function passwordCheck(
  hasher: PasswordHasher,
): (hashed: string | undefined, password: string) => Promise<boolean> {
  const nobody = hasher.hash(randomUUID());
  return async (hashed, password) => {
    if (password.length > LONGEST_PASSWORD) return false;
    const passes = await hasher.verify(hashed ?? (await nobody), password);
    return passes && hashed !== undefined;
  };
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
