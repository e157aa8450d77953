import type { Compilable, CompiledQuery, Expression } from "kysely";
import type { Db } from "./database.ts";

/** Placeholder in a query for a value that each call provides. */
class Given {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is built once and then only given its values: for frequently polled queries, building costs as much as
 * executing. `build` may only pass the values on to the query.
 */
export function prepared<Values extends object, Row>(
  db: Db,
  build: (values: Values) => Compilable<Row>,
): (values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (values) => {
    compiled ??= build(
      new Proxy({} as Values, { get: (_, name) => new Given(String(name)) }),
    ).compile();
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Given ? values[parameter.name as keyof Values] : parameter,
    );
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}

/** The value type of a JSON expression. */
export type ReadBy<Read extends (...given: never[]) => Expression<unknown>> =
  ReturnType<Read> extends Expression<infer T> ? T : never;
