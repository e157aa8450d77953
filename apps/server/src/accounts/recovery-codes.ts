import { randomInt } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import type { SecretBox } from "./secret-box.ts";

/** Codes to sign in with when every second factor is lost. Each works once. */
export interface RecoveryCodes {
  /** Replaces the old codes with ten new ones, in the caller's transaction. They can be read only now. */
  renew(query: Db, userId: string): Promise<string[]>;
  /** Whether `code` is an unused code; if so, it is used up. In the caller's transaction. */
  takes(query: Db, userId: string, code: string): Promise<boolean>;
  remove(query: Db, userId: string): Promise<void>;
}

const COUNT = 10;
/** Without easily confused letters and digits. Ten of them are 49 bits. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

export function openRecoveryCodes(box: SecretBox, clock: Clock): RecoveryCodes {
  return {
    async renew(query, userId) {
      const codes = Array.from({ length: COUNT }, newCode);
      await query.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
      await query
        .insertInto("recovery_codes")
        .values(
          codes.map((code) => ({
            user_id: userId,
            code_hash: box.digest(plain(code), userId),
            used_at: null,
          })),
        )
        .execute();
      return codes;
    },
    async takes(query, userId, code) {
      const used = await query
        .updateTable("recovery_codes")
        .set({ used_at: clock.now() })
        .where("user_id", "=", userId)
        .where("code_hash", "=", box.digest(plain(code), userId))
        .where("used_at", "is", null)
        .returning("user_id")
        .executeTakeFirst();
      return used !== undefined;
    },
    async remove(query, userId) {
      await query.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
    },
  };
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
