import type { FormValue } from "../form.ts";

export type Body = Record<string, FormValue>;

/** An error in the provider's format; the SDK turns it into a StripeError. */
export class ApiFault extends Error {
  readonly status: number;
  readonly type: string;
  readonly param: string | undefined;
  readonly code: string | undefined;
  constructor(status: number, message: string, param?: string, code?: string) {
    super(message);
    this.status = status;
    this.type = status === 401 ? "authentication_error" : "invalid_request_error";
    this.param = param;
    this.code = code;
  }
}

export function missing(kind: string, id: string): ApiFault {
  return new ApiFault(404, `No such ${kind}: '${id}'`, "id", "resource_missing");
}

export function found<T>(value: T | undefined, kind: string, id: string): T {
  if (value === undefined) throw missing(kind, id);
  return value;
}

/** A required text parameter. */
export function text(body: Body, name: string): string {
  const value = body[name];
  if (typeof value !== "string" || value === "") {
    throw new ApiFault(400, `Missing required param: ${name}.`, name);
  }
  return value;
}

export function optionalText(body: Body, name: string): string | null {
  const value = body[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** A map of texts, e.g. metadata; absent = empty. */
export function texts(value: FormValue | undefined): Record<string, string> {
  if (value === undefined || typeof value === "string" || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

export function object(value: FormValue | undefined): Body {
  return value !== undefined && typeof value === "object" && !Array.isArray(value) ? value : {};
}

export function list(value: FormValue | undefined): Body[] {
  return Array.isArray(value) ? value.map(object) : [];
}

/** A page of objects, newest first, as returned by the provider's list calls. */
export function page<T extends { created?: number }>(
  items: T[],
  url: string,
  query: Body,
): unknown {
  const limit = Math.min(100, Math.max(1, Number(query["limit"] ?? 10)));
  const sorted = items.toSorted((a, b) => (b.created ?? 0) - (a.created ?? 0));
  return {
    object: "list",
    url,
    has_more: sorted.length > limit,
    data: sorted.slice(0, limit),
  };
}
