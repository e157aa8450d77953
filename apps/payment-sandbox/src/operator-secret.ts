import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A secret known only to this installation's operator, and what is derived from it. */
export interface OperatorSecret {
  /** Whether a text is the secret. Takes the same time for every wrong one. */
  is(given: unknown): boolean;
  /** Included in every form on our pages: another site's page cannot read it. */
  formToken: string;
  /** What a browser keeps once the secret was given; valid for the outbox only. */
  outboxPass: string;
}

export function operatorSecret(secret: string): OperatorSecret {
  const derived = (purpose: string): string =>
    createHmac("sha256", secret).update(purpose).digest("base64url");
  return {
    is: (given) => typeof given === "string" && sameText(given, secret),
    formToken: derived("forms"),
    outboxPass: derived("outbox"),
  };
}

/** Constant-time comparison: its duration does not reveal how much was right. */
export function sameText(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** The secret of a data folder, created on first use and readable only by its owner. */
export function storedOperatorSecret(dataDir: string): string {
  const path = join(dataDir, "operator-secret");
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    mkdirSync(dataDir, { recursive: true });
    const mine = `${path}.${process.pid}`;
    writeFileSync(mine, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
    try {
      // A link appears atomically, so two concurrent starts read the same secret.
      linkSync(mine, path);
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    } finally {
      rmSync(mine);
    }
    return readFileSync(path, "utf8").trim();
  }
}
