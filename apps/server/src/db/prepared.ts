import type { Compilable, CompiledQuery, Expression } from "kysely";
import type { Db } from "./database.ts";

/** Stands in a query for a value that each call gives. */
class Given {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is built once and then only given its values: for what pages ask at every tick, building the query costs
 * as much as asking it. `build` may only hand the values on to the query.
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

/** What an expression of JSON gives. */
export type ReadBy<Read extends (...given: never[]) => Expression<unknown>> =
  ReturnType<Read> extends Expression<infer T> ? T : never;
