/** What a caller may send, as decoded from a form; every value is text. */
export interface Body {
  [name: string]: FormValue;
}
export type FormValue = string | FormValue[] | Body | undefined;

/** Decodes the provider's form encoding: `a[b][0]=c` becomes { a: { b: ["c"] } }. */
export function decodeForm(text: string): Body {
  const root: Body = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((key) => key !== "");
    const last = path.pop() ?? "";
    let place: Body = root;
    path.forEach((key, depth) => {
      const isList = /^\d+$/.test(path[depth + 1] ?? last);
      place = (place[key] ??= isList ? [] : {}) as Body;
    });
    place[last] = value;
  }
  return root;
}

/** An error in the provider's format; the SDK turns it into a StripeError. */
export class ApiFault extends Error {
  readonly status: number;
  readonly code: string | undefined;
  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A required text parameter. */
export function textOf(body: Body, name: string): string {
  const value = body[name];
  if (typeof value === "string" && value !== "") return value;
  throw new ApiFault(400, `Missing required param: ${name}.`);
}

export function listOf(value: FormValue): Body[] {
  return Array.isArray(value) ? (value as Body[]) : [];
}
