import type { core } from "zod";

const KINDS: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "text",
  tuple: "a list",
};

/** Why a value does not fit a schema, phrased to follow its name: "must be a whole number". */
export function valueFault(issue: core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case "invalid_type":
      return `must be ${KINDS[issue.expected] ?? "of a different type"}`;
    case "invalid_value":
      return `must be ${issue.values.map(String).join(" or ")}`;
    case "too_big":
      return limit(issue, issue.maximum, issue.inclusive === false ? "less than" : "at most");
    case "too_small":
      return limit(issue, issue.minimum, issue.inclusive === false ? "more than" : "at least");
    default:
      return "is not valid";
  }
}

function limit({ origin }: { origin: string }, bound: number | bigint, how: string): string {
  if (origin === "array") return `must have ${how} ${bound} ${bound === 1 ? "entry" : "entries"}`;
  if (origin === "string") {
    return `must have ${how} ${bound} ${bound === 1 ? "character" : "characters"}`;
  }
  return `must be ${how} ${bound}`;
}
