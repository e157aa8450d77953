import { sql } from "kysely";
import type { AnnotationOf } from "@stipple/contract";
import type { Db } from "../db/database.ts";
import { BoundedMap } from "../operations/bounded-map.ts";
import { itemsOf } from "./annotations.ts";

type Region = AnnotationOf<"region">["value"];

/** The polygons of a region: outlines followed by their holes; x and y alternating, full-resolution pixels. */
export function flatPolygons({ polygons }: Region): Float64Array[][] {
  return polygons.map((rings) => rings.map((ring) => Float64Array.from(ring.flat())));
}

/** A region goes by its name and by its class; excluded ones hold no cells. */
const NAMED = sql<boolean>`kind = 'region' and not coalesce((value->>'excluded')::boolean, false)`;

/** Thousands of imported regions may each have a name. */
const MAX_NAMES = 200;

/**
 * Names and classes of regions that each of these projects has, in alphabetical order. If there are too many, those that the
 * most regions have, and given names rather than "Region 17".
 */
export async function namesOfRegions(db: Db, projectIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from (
      select name, count(*) as regions
      from annotations, unnest(array[value->>'name', value->>'class']) as name
      where project_id = any(${[...projectIds]}) and ${NAMED} and name is not null
      group by project_id, name) as own
    group by name having count(*) = ${new Set(projectIds).size}
    order by sum(regions) desc, name ~ '^Region [0-9]+$', name
    limit ${MAX_NAMES}`.execute(db);
  return rows.map(({ name }) => name).sort();
}

/** Regions of a project that share a name or class. */
export interface CalledRegions {
  /** Equal for equal regions of one project. */
  state: string;
  polygons(): Promise<Float64Array[][]>;
}

interface RegionRow {
  id: string;
  revision: number;
}

/** By project, its revision, and name: pages ask until a comparison is there, and a name lies among a region's corners. */
const called = new BoundedMap<RegionRow[]>(20);

async function rowsCalled(db: Db, projectId: string, name: string): Promise<RegionRow[]> {
  const project = await db
    .selectFrom("projects")
    .select("annotation_revision")
    .where("id", "=", projectId)
    .executeTakeFirst();
  const key = JSON.stringify([projectId, project?.annotation_revision, name]);
  const known = called.get(key);
  if (known) return known;
  const rows = await db
    .selectFrom("annotations")
    .select(["id", "revision"])
    .where("project_id", "=", projectId)
    .where(NAMED)
    .where(sql<boolean>`(value->>'name' = ${name} or value->>'class' = ${name})`)
    .orderBy("id")
    .execute();
  called.set(key, rows);
  return rows;
}

/** The regions of a project with this name or class; null if there are none. */
export async function regionsCalled(
  db: Db,
  projectId: string,
  name: string,
): Promise<CalledRegions | null> {
  const rows = await rowsCalled(db, projectId, name);
  if (rows.length === 0) return null;
  const ids = rows.map(({ id }) => id);
  return {
    state: rows.map(({ id, revision }) => `${projectId} ${id} ${revision}`).join(" "),
    // Not what has got the name since: once that is undone, the same state would have other polygons.
    polygons: async () =>
      (await itemsOf(db, projectId, { ids, kind: "region" })).flatMap(({ value }) =>
        flatPolygons(value as Region),
      ),
  };
}
