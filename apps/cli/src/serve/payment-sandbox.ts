import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Secret shared by the sandbox and the API; created once per data folder, so that nobody else can sign webhooks. */
export function sandboxSecret(dataDir: string): Promise<string> {
  return storedSecret(join(dataDir, "payment-sandbox-secret"), "hex");
}

/** Opens the outbox and confirms deletions; created once per data folder, readable only by its owner. */
export function operatorSecret(dataDir: string): Promise<string> {
  return storedSecret(join(dataDir, "operator-secret"), "base64url");
}

async function storedSecret(path: string, encoding: "hex" | "base64url"): Promise<string> {
  const known = await readFile(path, "utf8").catch(() => undefined);
  if (known) return known.trim();
  const secret = randomBytes(24).toString(encoding);
  await writeFile(path, secret, { mode: 0o600 });
  return secret;
}

/**
 * Waits until the sandbox responds. Throws the sandbox's own message if it ends instead; `ended` is aborted in that
 * case.
 */
export async function untilSandboxAnswers(
  url: string,
  dataDir: string,
  ended: AbortSignal,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 100) {
    if (ended.aborted) {
      const log = await readFile(join(dataDir, "logs", "payment-sandbox.log"), "utf8");
      throw new Error(log.trim().split("\n").at(-1) ?? "The payment sandbox did not start.");
    }
    if (await fetch(url).catch(() => undefined)) return;
    await sleep(100);
  }
}
