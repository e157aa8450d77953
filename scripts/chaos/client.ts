import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

// Answers have many shapes; callers name what they use.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

export interface Answer {
  status: number;
  json: Json;
  bytes: Buffer;
}

/** Longer than any call takes on a busy machine that is not disturbed. */
const PATIENCE_MS = 60_000;

/** One call; null when no whole answer came: then nobody knows whether it was done. */
export async function ask(
  url: string,
  method: string,
  path: string,
  token?: string,
  body?: unknown,
): Promise<Answer | null> {
  const isForm = body instanceof FormData;
  try {
    const response = await fetch(`${url}/api${path}`, {
      method,
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, json: isJson ? JSON.parse(bytes.toString()) : null, bytes };
  } catch {
    return null;
  }
}

/** Whether asking again is the right answer to it: no answer, too many at once, or the server's own trouble. */
export function isTrouble(answer: Answer | null): boolean {
  return answer === null || answer.status === 429 || answer.status >= 500;
}

/** Asks until it is answered; what was perhaps done before is asked for again, as a person would. */
export async function insist(
  isOver: () => boolean,
  work: () => Promise<Answer | null>,
): Promise<Answer | null> {
  for (;;) {
    const answer = await work();
    if (!isTrouble(answer) || isOver()) return answer;
    await sleep(500);
  }
}

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("hex");
