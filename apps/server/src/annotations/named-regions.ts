import { sql } from "kysely";
import type { AnnotationOf } from "@stipple/contract";
import type { Db } from "../db/database.ts";

type Region = AnnotationOf<"region">["value"];

/** The polygons of a region: outlines followed by their holes; x and y alternating, full-resolution pixels. */
export function flatPolygons({ polygons }: Region): Float64Array[][] {
  return polygons.map((rings) => rings.map((ring) => Float64Array.from(ring.flat())));
}

/** A region goes by its name and by its class; excluded ones hold no cells. */
const NAMED = sql<boolean>`kind = 'region' and not coalesce((value->>'excluded')::boolean, false)`;

/** Names and classes of regions that each of these projects has, in alphabetical order. */
export async function namesOfRegions(db: Db, projectIds: readonly string[]): Promise<string[]> {
  if (projectIds.length === 0) return [];
  const rows = await db
    .selectFrom("annotations")
    .select(["project_id", sql<string>`value->>'name'`.as("name")])
    .select(sql<string | null>`value->>'class'`.as("class"))
    .distinct()
    .where("project_id", "in", [...projectIds])
    .where(NAMED)
    .execute();
  const having = new Map<string, Set<string>>();
  for (const { project_id, ...names } of rows) {
    for (const name of Object.values(names)) {
      if (name !== null) having.set(name, (having.get(name) ?? new Set()).add(project_id));
    }
  }
  const all = new Set(projectIds).size;
  return [...having].flatMap(([name, own]) => (own.size === all ? [name] : [])).sort();
}

/** Regions of a project that share a name or class. */
export interface CalledRegions {
  /** Equal for equal regions of one project. */
  state: string;
  polygons(): Promise<Float64Array[][]>;
}

/** The regions of a project with this name or class; null if there are none. */
export async function regionsCalled(
  db: Db,
  projectId: string,
  name: string,
): Promise<CalledRegions | null> {
  const called = db
    .selectFrom("annotations")
    .where("project_id", "=", projectId)
    .where(NAMED)
    .where(sql<boolean>`(value->>'name' = ${name} or value->>'class' = ${name})`)
    .orderBy("id");
  const rows = await called.select(["id", "revision"]).execute();
  if (rows.length === 0) return null;
  return {
    state: rows.map(({ id, revision }) => `${projectId} ${id} ${revision}`).join(" "),
    async polygons() {
      const full = await called.select("value").execute();
      return full.flatMap(({ value }) => flatPolygons(value as Region));
    },
  };
}
