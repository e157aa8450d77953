import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What only the operator of this installation knows, and what is derived from it. */
export interface OperatorSecret {
  /** Whether a text is the secret. Takes the same time for every wrong one. */
  is(given: unknown): boolean;
  /** Stands in every form of our pages: another site's page cannot read it. */
  formToken: string;
  /** What a browser keeps after the secret was given; good for the outbox only. */
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

/** Compares without telling by its time how much was right. */
export function sameText(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** The secret of a data folder, made on first use and readable by its owner only. */
export function storedOperatorSecret(dataDir: string): string {
  const path = join(dataDir, "operator-secret");
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    mkdirSync(dataDir, { recursive: true });
    const mine = `${path}.${process.pid}`;
    writeFileSync(mine, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600 });
    try {
      // A link appears whole or not at all, so two starts at once read the same secret.
      linkSync(mine, path);
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    } finally {
      rmSync(mine);
    }
    return readFileSync(path, "utf8").trim();
  }
}
