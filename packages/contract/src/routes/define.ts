import * as z from "zod/mini";

/** Who may call: anyone, a signed-in person, or the holder of a signed link to a view or a download. */
export type Access = "public" | "session" | "visualization" | "study_link" | "download";

/** One call of the API. Server handlers, the web client and docs/openapi.json all derive from these objects. */
export interface Route {
  method: "GET" | "POST" | "DELETE";
  /** Path below /api, with `:name` parameters. */
  path: string;
  access: Access;
  summary: string;
  /** The parameters of the path, all of them texts; undefined if it has none. */
  params: z.ZodMiniType | undefined;
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** Media type of a success response that is not JSON, if callers must request it by name. */
  accept?: string;
  /** Success responses by status; null = the body is not JSON (a file, an image). */
  answers: Record<number, z.ZodMiniType | null>;
}

/** "/projects/:id/views/:view" names id and view. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type ParamsOf<Path extends string> = [NamesIn<Path>] extends [never]
  ? undefined
  : z.ZodMiniObject<Record<NamesIn<Path>, z.ZodMiniString<string>>>;

/** Without side effects, so that pages load only the routes they call. */
/* @__NO_SIDE_EFFECTS__ */
export function defineRoute<
  const Method extends Route["method"],
  const Path extends string,
  const Who extends Access,
  const Rest extends Omit<Route, "method" | "path" | "access" | "params">,
>(method: Method, path: Path, access: Who, rest: Rest) {
  const names = path.match(/(?<=:)\w+/g)?.map((name) => [name, z.string()]);
  const params = (names && z.object(Object.fromEntries(names))) as ParamsOf<Path>;
  return { method, path, access, params, ...rest };
}
