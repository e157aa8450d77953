import {
  annotationHistory,
  annotationVersions,
  changeAnnotations as changeRoute,
  deleteAnnotationVersion,
  redoAnnotations,
  restoreAnnotationVersion,
  saveAnnotationVersion,
  undoAnnotations,
  visualizationAnnotations,
} from "@stipple/contract";
import type { Session } from "../access/session.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { ok, type Mount } from "../http/route-adapter.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Projects } from "../projects/projects.ts";
import { changeAnnotations, readAnnotations, stepAnnotations, type By } from "./annotations.ts";
import { cellsKeyOf } from "./cells.ts";
import { historyOf } from "./history.ts";
import { removeVersion, restoreVersion, saveVersion, versionsOf } from "./versions.ts";

/** The largest change with the JSON around it. */
const LARGEST_BODY_BYTES = 16_000_000;

export function annotationRoutes(
  mount: Mount,
  parts: {
    clock: Clock;
    database: Database;
    projects: Projects;
    outputs: Outputs;
  },
): void {
  const { projects, outputs } = parts;
  const { db } = parts.database;
  /** Whose change it is; throws project_not_found unless it is the owner's. */
  const by = async (session: Session, projectId: string): Promise<By> => {
    const { id } = await projects.owned(session.userId, projectId);
    return { projectId: id, author: session.email };
  };

  mount(visualizationAnnotations, async ({ results: { projectId, readOnly }, query }) => {
    const [state, cells] = await Promise.all([
      readAnnotations(db, projectId, query.kind),
      cellsKeyOf(outputs, projectId),
    ]);
    const items = readOnly ? state.items.map((item) => ({ ...item, author: null })) : state.items;
    return { status: 200, body: { ...state, items, cells } };
  });

  mount(
    changeRoute,
    async ({ session, params, body }) => {
      const whose = await by(session, params.id);
      return ok(changeAnnotations(parts, whose, body.id, body.changes));
    },
    { largestBodyBytes: LARGEST_BODY_BYTES },
  );

  mount(undoAnnotations, async ({ session, params, body }) => {
    const whose = await by(session, params.id);
    return ok(stepAnnotations(parts, whose, "undo", body.revision));
  });

  mount(redoAnnotations, async ({ session, params, body }) => {
    const whose = await by(session, params.id);
    return ok(stepAnnotations(parts, whose, "redo", body.revision));
  });

  mount(annotationHistory, async ({ session, params }) => {
    const { projectId } = await by(session, params.id);
    return ok(historyOf(db, projectId));
  });

  mount(annotationVersions, async ({ session, params }) => {
    const { projectId } = await by(session, params.id);
    return ok(versionsOf(db, projectId));
  });

  mount(saveAnnotationVersion, async ({ session, params, body }) => {
    const whose = await by(session, params.id);
    return { status: 201, body: await saveVersion(parts, whose, body.name) };
  });

  mount(restoreAnnotationVersion, async ({ session, params, body }) => {
    const whose = await by(session, params.id);
    return ok(restoreVersion(parts, whose, params.version, body.revision));
  });

  mount(deleteAnnotationVersion, async ({ session, params }) => {
    const { projectId } = await by(session, params.id);
    await removeVersion(db, projectId, params.version);
    return { status: 200, body: { message: "Version deleted." } };
  });
}
