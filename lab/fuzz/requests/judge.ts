import { ERRORS, problem, type ErrorCode, type Route } from "@stipple/contract";
import type { MadeRequest } from "./make-request.ts";

export interface Received {
  status: number;
  type: string;
  body: Buffer;
}

/** Permitted statuses beyond those in the contract: partial files, and "not modified". */
const FILE_STATUSES = [200, 206, 304];
/** 5xx errors that are not our fault: the database, the storage, the provider, the disk, or the mail server is unavailable. */
const AWAY: readonly string[] = [
  "database_away",
  "storage_away",
  "stopping",
  "payment_provider_failed",
  "storage_full",
  "mail_not_sent",
];

const statusOf = (code: string): number => ERRORS[code as ErrorCode].status;

/** What is wrong with a response, or null. */
export function faultOf(route: Route, asked: MadeRequest, received: Received): string | null {
  const { status, body } = received;
  // HEAD responses have no body, only a status.
  if (asked.method === "HEAD") {
    const isFine = status < 500 || AWAY.some((code) => statusOf(code) === status);
    return isFine ? null : `${status} to HEAD`;
  }
  if (status >= 400 && !(status in route.answers)) return faultOfRefusal(asked, received);
  const schema = route.answers[status];
  if (schema === null || FILE_STATUSES.includes(status)) {
    if (!Object.values(route.answers).includes(null) && !schema) return `undeclared ${status}`;
    if (schema === null || !schema) return null;
  }
  if (!schema) return `undeclared ${status}`;
  const parsed = schema.safeParse(JSON.parse(body.toString()));
  return parsed.success ? null : `${status} that is not the contract's: ${parsed.error.message}`;
}

function faultOfRefusal(asked: MadeRequest, { status, type, body }: Received): string | null {
  const text = body.toString();
  if (!type.startsWith("application/problem+json"))
    return `${status} as ${type}: ${text.slice(0, 300)}`;
  const parsed = problem.safeParse(JSON.parse(text));
  if (!parsed.success) return `${status} without the form of a refusal: ${text.slice(0, 300)}`;
  const { code, error, title } = parsed.data;
  const known = ERRORS[code as ErrorCode] as { status: number; error: string } | undefined;
  if (!known) return `unknown code ${code}`;
  if (known.status !== status || parsed.data.status !== status || known.error !== title) {
    return `${code} with status ${status}: ${text.slice(0, 300)}`;
  }
  if (status >= 500 && !AWAY.includes(code)) return `${status} ${code}: ${error}`;
  // Words in the request may be echoed.
  const own = WORDS.filter(
    (word) => !`${asked.path} ${asked.body?.toString() ?? ""}`.includes(word),
  );
  return error === known.error || isSentence(error, own)
    ? null
    : `no sentence: ${error.slice(0, 700)}`;
}

/** Words that reveal program internals. */
const WORDS = [
  "undefined",
  "[object",
  "TypeError",
  "RangeError",
  "FST_",
  "ECONN",
  "syntax error at",
];

/** Whether a text is one complete sentence without any of these words. */
function isSentence(text: string, words: readonly string[]): boolean {
  return (
    text.length <= 600 &&
    /^\S.*[.?!]$/u.test(text) &&
    // eslint-disable-next-line no-control-regex
    !/[\u0000-\u001f\u007f]|\bat \w+ \(/.test(text) &&
    !words.some((word) => text.includes(word))
  );
}
