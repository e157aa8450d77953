export type FormValue = string | FormValue[] | { [key: string]: FormValue };

/** Decodes the provider's form encoding: `a[b][0]=c` becomes { a: { b: ["c"] } }. */
export function decodeForm(text: string): Record<string, FormValue> {
  const root: Record<string, FormValue> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]/).filter((part) => part !== "");
    let place: Record<string, FormValue> = root;
    path.forEach((key, depth) => {
      if (depth === path.length - 1) place[key] = value;
      else place = (place[key] ??= {}) as Record<string, FormValue>;
    });
  }
  return arrays(root) as Record<string, FormValue>;
}

/** Turns objects whose keys are 0, 1, 2 … into arrays. */
function arrays(value: FormValue): FormValue {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, arrays(child)] as const);
  return entries.length > 0 && entries.every(([key], index) => key === `${index}`)
    ? entries.map(([, child]) => child)
    : Object.fromEntries(entries);
}

export type Body = Record<string, FormValue>;

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

/** A text parameter; without a substitute, it is required. */
export function textOf(body: Body, name: string): string;
export function textOf<T>(body: Body, name: string, otherwise: T): string | T;
export function textOf(body: Body, name: string, otherwise?: unknown): unknown {
  const value = body[name];
  if (typeof value === "string" && value !== "") return value;
  if (otherwise === undefined) throw new ApiFault(400, `Missing required param: ${name}.`);
  return otherwise;
}

export function flagOf(body: Body, name: string): boolean {
  return body[name] === "true";
}

/** A map of texts, e.g. metadata; absent = empty. */
export function textsOf(value: FormValue | undefined): Record<string, string> {
  const pairs = Object.entries((value ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

export function listOf(value: FormValue | undefined): Body[] {
  return Array.isArray(value) ? (value as Body[]) : [];
}
