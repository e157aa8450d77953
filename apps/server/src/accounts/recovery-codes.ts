import { randomInt } from "node:crypto";
import type { Db } from "../db/database.ts";
import { openSecretBox } from "./secret-box.ts";
import type { AccountServices } from "./services.ts";

/*
 * Codes to sign in with when every second factor is lost. Each works once.
 */

const COUNT = 10;
/** Without easily confused letters and digits. Ten of them are 49 bits. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** Replaces the old codes with ten new ones, in the caller's transaction. They can be read only now. */
export async function renewCodes(
  { config }: AccountServices,
  query: Db,
  userId: string,
): Promise<string[]> {
  const box = openSecretBox(config.jwtSecret);
  const codes = Array.from({ length: COUNT }, newCode);
  const rows = codes.map((code) => ({
    ...{ user_id: userId, used_at: null },
    code_hash: box.digest(plain(code), userId),
  }));
  await removeCodes(query, userId);
  await query.insertInto("recovery_codes").values(rows).execute();
  return codes;
}

/** Whether `code` is an unused code; if so, it is used up. In the caller's transaction. */
export async function consumeRecoveryCode(
  { clock, config }: AccountServices,
  query: Db,
  userId: string,
  code: string,
): Promise<boolean> {
  const used = await query
    .updateTable("recovery_codes")
    .set({ used_at: clock.now() })
    .where("user_id", "=", userId)
    .where("code_hash", "=", openSecretBox(config.jwtSecret).digest(plain(code), userId))
    .where("used_at", "is", null)
    .returning("user_id")
    .executeTakeFirst();
  return used !== undefined;
}

export async function removeCodes(query: Db, userId: string): Promise<void> {
  await query.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
}

/** "abcde-fghjk". */
function newCode(): string {
  const part = (): string =>
    Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return `${part()}-${part()}`;
}

/** As users type it: any case, with or without the hyphen and spaces. */
function plain(code: string): string {
  return code.toLowerCase().replace(/[\s-]/g, "");
}
