import type { Route } from "@stipple/contract";
import { Random } from "@stipple/numerics/random";
import { MATRIX, type Ids } from "../../../apps/server/test/contract/calls.ts";
import { oddForm, type Body } from "./odd-form.ts";
import { below, changed, oddText, oddValue, pick, valueOf, type Json } from "./values.ts";
import type { World } from "./world.ts";

export interface MadeRequest {
  method: string;
  /** Percent-encoded, with the query. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND"];
const TYPES = [
  "application/json",
  "application/json; charset=utf-16",
  'application/json; charset=x"',
  "text/plain",
  "text/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "application/octet-stream",
  "image/png",
  "*/*",
  ";",
];
const HEADERS: readonly (readonly [string, string])[] = [
  ["range", "bytes=0-"],
  ["range", "bytes=-1"],
  ["range", "bytes=5-2"],
  ["range", "bytes=0-0,2-3,5-"],
  ["range", `bytes=${"9".repeat(400)}-`],
  ["range", "lines=1-2"],
  ["if-none-match", "*"],
  ["if-none-match", '"a", W/"b"'],
  ["if-range", '"x"'],
  ["if-modified-since", "yesterday"],
  ["accept", "text/html;q=x"],
  ["accept-encoding", "br;q=0, *"],
  ["content-encoding", "gzip"],
  ["content-encoding", "nothing known"],
  ["x-forwarded-for", "1.2.3.4, ::1, x"],
  ["x-forwarded-proto", "gopher"],
  ["x-http-method-override", "DELETE"],
  ["origin", "null"],
  ["expect", "200-ok"],
  ["cookie", "a=b; __proto__=c; ;;="],
  ["x-long", "h".repeat(12_000)],
];

/** One request to a route: what its owner would send, with mutations. Fully determined by world, route, and seed. */
export function makeRequest(
  name: string,
  route: Route,
  world: World,
  seed: number,
  isPlain = false,
): MadeRequest {
  const random = new Random(seed);
  const changes =
    isPlain || random.uniform() < 0.12 ? 0 : random.uniform() < 0.6 ? 1 : 1 + below(random, 4);
  const row = MATRIX[name];
  const owner = world.spare[name] ?? { token: world.people.owner, ids: world.people.ids };
  const { ids } = owner;
  const draft: Draft = {
    method: route.method,
    path: route.path,
    params: paramsOf(name, route, world, ids),
    query: row?.query?.(ids) ?? {},
    bare: undefined,
    headers: isPlain ? bearer(owner.token) : authorization(random, world, owner.token),
    body: bodyOf(name, route, ids, isPlain ? null : random),
  };
  for (let i = 0; i < changes; i++) change(draft, random, route);
  return finished(draft);
}

interface Draft {
  method: string;
  path: string;
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  /** A malformed query or path suffix. */
  bare: string | undefined;
  headers: Record<string, string>;
  body: Body | undefined;
}

function paramsOf(name: string, route: Route, world: World, ids: Ids): Record<string, string> {
  const { links } = world.people;
  const { access } = route;
  const token =
    access === "download" ? links.download : access === "study_link" ? links.study : links.view;
  return { token, ...MATRIX[name]?.path?.(ids) };
}

/** Usually the owner's credentials, so that requests pass authorization. */
function authorization(random: Random, { people }: World, owner: string): Record<string, string> {
  const kind = random.uniform();
  if (kind < 0.7) return bearer(owner);
  if (kind < 0.8) return bearer(people.stranger);
  if (kind < 0.9) {
    const [, token] = pick(random, people.noSessions);
    return token === undefined ? {} : bearer(token);
  }
  const odd = [
    "Bearer",
    "Bearer ",
    "Basic YTpi",
    "bearer  a b",
    `Bearer ${"x".repeat(5_000)}`,
    ",",
  ];
  return { authorization: pick(random, [...odd, `Bearer ${people.links.share}`]) };
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function bodyOf(name: string, route: Route, ids: Ids, random: Random | null): Body | undefined {
  if (name === "uploadChunk") return oddForm(random ?? new Random(1));
  const given = MATRIX[name]?.body?.(ids) as Json | undefined;
  if (random && route.body && (given === undefined || random.uniform() < 0.3)) {
    const value = valueOf(random, route.body);
    // Half of the schema-conforming values refer to an existing project.
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isObject && "project_id" in value) value["project_id"] = ids.project;
    return json(value);
  }
  return given === undefined ? undefined : json(given);
}

function json(value: Json): Body {
  return { value, type: "application/json", bytes: Buffer.from(JSON.stringify(value)) };
}

function change(draft: Draft, random: Random, route: Route): void {
  const hasBody = draft.body !== undefined;
  const hasQuery = route.query !== undefined;
  const names = [...route.path.matchAll(/:(\w+)|(\*)/g)].map(([, param, star]) => param ?? star);
  const ways: (() => void)[] = [
    () => (draft.method = pick(random, METHODS)),
    () => Object.assign(draft.headers, Object.fromEntries([pick(random, HEADERS)])),
    () => (draft.headers["content-type"] = pick(random, TYPES)),
    () =>
      (draft.bare = pick(random, [
        "?",
        "?=",
        "?&&&",
        "?a[b]=1&a=2",
        "?%zz",
        "%zz",
        "/%c0%af",
        "#x",
        "?a=%ff%fe",
      ])),
    () => (draft.path += pick(random, ["/", "//", "/..", "/.;", "%2f", "/x", ".json", "\\"])),
    () =>
      Object.assign(draft.query, {
        [pick(random, ["__proto__", "constructor", "x", ""])]: oddText(random),
      }),
  ];
  if (hasQuery) {
    const fromSchema = (): void => {
      const value = valueOf(random, route.query!) as Record<string, Json>;
      for (const [key, one] of Object.entries(value)) {
        if (key !== "project_id" || random.uniform() < 0.3) draft.query[key] = textOf(one);
      }
    };
    const one = (): void => {
      const keys = Object.keys(draft.query);
      if (keys.length === 0) return;
      const key = pick(random, keys);
      const now = draft.query[key];
      const kind = random.uniform();
      if (kind < 0.2) delete draft.query[key];
      else if (kind < 0.4) draft.query[key] = [now, oddText(random)].flat();
      else draft.query[key] = textOf(changed(random, Array.isArray(now) ? now[0] : now));
    };
    ways.push(fromSchema, one, one, one);
  }
  for (const param of names) {
    const other = (): void => {
      draft.params[param] = textOf(changed(random, draft.params[param] ?? ""));
    };
    ways.push(other, other);
  }
  if (hasBody) {
    const inside = (): void => {
      const { body } = draft;
      if (body?.value !== undefined) draft.body = json(changed(random, body.value));
      else draft.body = oddForm(random, true);
    };
    ways.push(inside, inside, inside, inside, inside, () => {
      draft.body = oddBytes(random, draft.body!);
    });
  } else {
    ways.push(() => (draft.body = json(oddValue(random))));
  }
  pick(random, ways)();
}

/** A body that does not match its content type. */
function oddBytes(random: Random, body: Body): Body {
  const { bytes } = body;
  const at = below(random, bytes.length + 1);
  const kinds = [
    () => bytes.subarray(0, at),
    () => Buffer.alloc(0),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    () => Buffer.from(bytes.toString("latin1"), "utf16le"),
    () =>
      Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xc0, 0x80]), bytes.subarray(at)]),
    () => Buffer.from("[".repeat(1 + below(random, 200_000))),
    () => Buffer.from('{"a":'.repeat(50_000)),
    () => Buffer.from('{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}'),
    () => Buffer.from("1e999"),
    () => Buffer.from("NaN"),
    () => Buffer.from(`{"project_id":"a","project_id":"b"}`),
    () => Buffer.from(JSON.stringify("x".repeat(below(random, 2) === 0 ? 900_000 : 1_200_000))),
    () => Buffer.from("--b\r\n"),
  ];
  return { type: body.type, bytes: pick(random, kinds)() };
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function encoded(text: string): string {
  // A lone surrogate has no valid encoding; this is how a sloppy program writes it.
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    encodeURIComponent("\ufffd"),
    "%ed%a0%80",
  );
}

function finished({ method, path, params, query, bare, headers, body }: Draft): MadeRequest {
  let address = path;
  for (const [key, value] of Object.entries(params)) {
    address = address.replace(key === "*" ? "*" : `:${key}`, () => encoded(value));
  }
  const pairs = Object.entries(query).flatMap(([key, values]) =>
    [values].flat().map((value) => `${encoded(key)}=${encoded(value)}`),
  );
  const end =
    pairs.length > 0 ? `?${pairs.join("&")}${(bare ?? "").replace(/^\?/, "&")}` : (bare ?? "");
  return {
    method,
    path: `/api${address}${end}`.slice(0, 14_000),
    headers: {
      ...(body ? { "content-type": body.type, "content-length": String(body.bytes.length) } : {}),
      ...headers,
    },
    body: body?.bytes,
  };
}
