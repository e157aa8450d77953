import type { PiecesAnswer, RunChoices } from "@stipple/contract";
import { OWN_FILES } from "@stipple/contract/platforms/own-files";
import { shortened } from "@stipple/contract/shortened";
import { regionsGeoJson } from "@stipple/formats/geojson/write-regions";
import { sql } from "kysely";
import type { OwnedProject } from "../access/opened-results.ts";
import type { Database, Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { Projects } from "../projects/projects.ts";
import type { Uploads } from "./uploads.ts";

const KEPT = OWN_FILES.find(({ id }) => id === "kept")!;
/** Letters of a project's name that the names of its pieces begin with. */
const NAME_LETTERS = 180;

/**
 * Creates a project for each piece of a project's slide. Each has the same files and choices and analyzes only its piece.
 * The files are shared, not copied. Throws invalid_request if there is nothing to split, and projects_used_up; then no
 * project is created.
 */
export async function splitProject(
  parts: { database: Database; projects: Projects; uploads: Uploads },
  project: OwnedProject,
  choices: RunChoices,
  { pieces, fault }: PiecesAnswer,
): Promise<{ id: string; name: string }[]> {
  if (fault !== null) throw new ApiError("invalid_request", fault);
  if (pieces.length < 2) {
    throw new ApiError(
      "invalid_request",
      "The tissue on this slide is one piece: there is nothing to split.",
    );
  }
  const { options } = project;
  const drafts = pieces.map(({ name }) => ({
    ...{ options, choices },
    name: `${shortened(project.name, NAME_LETTERS)} – ${name}`,
  }));
  const ids = await parts.projects.createAll(project.userId, drafts);
  try {
    // The sample's files come last: nothing that stops halfway leaves a project that would analyze the whole slide.
    for (const [at, id] of ids.entries()) await keepPiece(parts.uploads, id, pieces[at]);
    await parts.database.transaction((transaction) => shareFiles(transaction, project.id, ids));
  } catch (error) {
    for (const id of ids) await parts.projects.remove(project.userId, id).catch(() => undefined);
    throw error;
  }
  return ids.map((id, at) => ({ id, name: drafts[at].name }));
}

async function keepPiece(
  uploads: Uploads,
  projectId: string,
  { name, polygons }: PiecesAnswer["pieces"][number],
): Promise<void> {
  const drawn = polygons.map((rings) => rings.map((ring) => Float64Array.from(ring.flat())));
  const text = regionsGeoJson([{ name, kind: null, color: null, polygons: drawn }]);
  await uploads.putText(projectId, KEPT, text, `${name}.geojson`);
}

/** Fills other projects' slots with a project's complete files, except for the regions to keep. */
async function shareFiles(transaction: Db, from: string, to: readonly string[]): Promise<void> {
  await sql`
    insert into uploads (project_id, slot, file_name, size, object_id, digest, chunks, chunk_hashes)
    select other.id, slot, file_name, size, object_id, digest, chunks, chunk_hashes
    from uploads, unnest(${to}::uuid[]) as other (id)
    where project_id = ${from} and object_id is not null and slot <> ${KEPT.id}`.execute(
    transaction,
  );
  await sql`
    update projects set sample_dataset = whole.sample_dataset
    from projects as whole
    where projects.id = any (${to}::uuid[]) and whole.id = ${from}`.execute(transaction);
}
