import { hash, randomBytes } from "node:crypto";
import type { Db } from "../db/database.ts";
import type { AccountServices } from "./services.ts";

/** A secret that cannot be guessed, for an address or a cookie. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** How tokens are stored. */
export function hashOf(token: string): string {
  return hash("sha256", token);
}

type MailedTokens = "email_verifications" | "password_resets";

/** A token to email to a person, valid for some time and once. */
export async function mailedToken(
  { clock, database: { db } }: AccountServices,
  kind: MailedTokens,
  userId: string,
  validMs: number,
): Promise<string> {
  const token = newToken();
  const now = clock.now();
  await db.deleteFrom(kind).where("expires_at", "<=", now).execute();
  const expires = new Date(now.getTime() + validMs);
  await db
    .insertInto(kind)
    .values({ token_hash: hashOf(token), user_id: userId, expires_at: expires })
    .execute();
  return token;
}

/**
 * Whose token it is; undefined for a used, expired, or unknown one. All of this kind that the account has are used up
 * at once: of several calls with different ones the first wins, and none waits for another in a circle.
 */
export async function takeMailedToken(
  { clock }: AccountServices,
  transaction: Db,
  kind: MailedTokens,
  token: string,
): Promise<string | undefined> {
  const taken = await transaction
    .deleteFrom(kind)
    .where("user_id", "=", (owner) =>
      owner
        .selectFrom(kind)
        .select("user_id")
        .where("token_hash", "=", hashOf(token))
        .where("expires_at", ">", clock.now()),
    )
    .returning(["token_hash", "user_id"])
    .execute();
  return taken.find(({ token_hash }) => token_hash === hashOf(token))?.user_id;
}
