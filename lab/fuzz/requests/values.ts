import type { Random } from "@stipple/numerics/random";
import * as z from "zod/mini";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export function below(random: Random, n: number): number {
  return Math.floor(random.uniform() * n);
}

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[below(random, values.length)];
}

/** Strings that commonly break programs. */
const TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udfff\ud800",
  "\u202e\u2066",
  "\ufeff",
  "é".normalize("NFD"),
  "\r\nSet-Cookie: a=b",
  "\u001b[31m",
  "' or '1'='1",
  "'; drop table users; --",
  "../../../../etc/passwd",
  "..\\..\\",
  "%00",
  "%2e%2e%2f",
  "${7*7}{{7*7}}",
  "<script>alert(1)</script>",
  "=cmd|' /C calc'!A0",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "undefined",
  "NaN",
  "true",
  "-1",
  "1e309",
  "0x10",
  "00000000-0000-0000-0000-000000000000",
  "A".repeat(300),
  "é".repeat(5_000),
  "😀".repeat(99),
  "=".repeat(100_000),
] as const;
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  7,
  8,
  1e9,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 63),
  1e308,
  5e-324,
];
const KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "",
  "\0",
  "project_id",
  "id",
];

/** A random value of any type, nested at most `deep` levels. */
export function oddValue(random: Random, deep = 2): Json {
  switch (below(random, 8)) {
    case 0:
      return null;
    case 1:
      return random.uniform() < 0.5;
    case 2:
      return pick(random, NUMBERS);
    case 3:
      return deep > 0
        ? Array.from({ length: below(random, 4) }, () => oddValue(random, deep - 1))
        : [];
    case 4:
      return deep > 0 ? withKey({}, pick(random, KEYS), oddValue(random, deep - 1)) : {};
    case 5:
      return nested(random, 2 + below(random, 60));
    default:
      return oddText(random);
  }
}

export function oddText(random: Random): string {
  return pick(random, TEXTS);
}

function nested(random: Random, depth: number): Json {
  let value: Json = 0;
  for (let i = 0; i < depth; i++) value = random.uniform() < 0.5 ? [value] : { a: value };
  return value;
}

/** `__proto__` becomes an ordinary key, as in JSON.parse. */
function withKey(
  object: { [key: string]: Json },
  key: string,
  value: Json,
): { [key: string]: Json } {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return object;
}

/** The value with one change somewhere inside it. */
export function changed(random: Random, value: Json): Json {
  const goDown = random.uniform() < 0.85;
  if (goDown && Array.isArray(value) && value.length > 0) {
    const at = below(random, value.length);
    const kind = random.uniform();
    if (kind < 0.15) return value.toSpliced(at, 1);
    if (kind < 0.3) return Array.from({ length: 1 + below(random, 3_000) }, () => value[at]!);
    return value.with(at, changed(random, value[at]));
  }
  if (goDown && typeof value === "object" && value !== null && !Array.isArray(value)) {
    const keys = Object.keys(value);
    const kind = random.uniform();
    if (keys.length === 0 || kind < 0.1) {
      return withKey({ ...value }, pick(random, KEYS), oddValue(random));
    }
    const key = pick(random, keys);
    if (kind < 0.25) {
      const { [key]: _removed, ...rest } = value;
      return rest;
    }
    return withKey({ ...value }, key, changed(random, value[key]));
  }
  if (typeof value === "string" && random.uniform() < 0.4) return changedText(random, value);
  if (random.uniform() < 0.15) return [value];
  return oddValue(random);
}

function changedText(random: Random, text: string): string {
  const at = below(random, text.length + 1);
  switch (below(random, 4)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + oddText(random) + text.slice(at);
    case 2:
      return text.toUpperCase();
    default:
      return text + text;
  }
}

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: Json[];
  const?: Json;
  anyOf?: Schema[];
  maxItems?: number;
}

/** A value allowed by the contract's schema, as far as JSON Schema can express it. */
export function valueOf(random: Random, type: z.ZodMiniType): Json {
  return valueOfSchema(
    random,
    z.toJSONSchema(type, { io: "input", unrepresentable: "any" }) as unknown as Schema,
  );
}

function valueOfSchema(random: Random, schema: Schema): Json {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return pick(random, schema.enum);
  if (schema.anyOf) return valueOfSchema(random, pick(random, schema.anyOf));
  switch (schema.type) {
    case "null":
      return null;
    case "boolean":
      return random.uniform() < 0.5;
    case "integer":
    case "number":
      return pick(random, NUMBERS);
    case "array": {
      const length = below(random, Math.min(schema.maxItems ?? 4, 8) + 1);
      return Array.from({ length }, () => valueOfSchema(random, schema.items ?? {}));
    }
    case "object": {
      const object: { [key: string]: Json } = {};
      for (const [key, property] of Object.entries(schema.properties ?? {})) {
        if (!schema.required?.includes(key) && random.uniform() < 0.5) continue;
        withKey(object, key, valueOfSchema(random, property));
      }
      return object;
    }
    case "string":
      return random.uniform() < 0.5 ? `text ${below(random, 1e6)}` : oddText(random);
    default:
      return oddValue(random);
  }
}
