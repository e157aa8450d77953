import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

// Responses have many shapes; callers pick out what they use.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

export interface Answer {
  status: number;
  json: Json;
  bytes: Buffer;
}

/** Longer than any undisturbed call takes on a busy machine. */
const TIMEOUT_MS = 60_000;

/** One call; null if no complete response arrived, so that the outcome is unknown. */
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
      signal: AbortSignal.timeout(TIMEOUT_MS),
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

/** Whether to retry: no response, too many requests, or a server error. */
export function isTrouble(answer: Answer | null): boolean {
  return answer === null || answer.status === 429 || answer.status >= 500;
}

/** Retries until answered; like a person, repeats requests that may already have succeeded. */
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
