import {
  annotationHistory,
  annotationVersions,
  changeAnnotations,
  deleteAnnotationVersion,
  redoAnnotations,
  restoreAnnotationVersion,
  saveAnnotationVersion,
  undoAnnotations,
  visualizationAnnotations,
} from "@stipple/contract";
import { VIEWER_FOLDER } from "@stipple/pipeline/view";
import type { Session } from "../access/session.ts";
import type { Mount } from "../http/route-adapter.ts";
import type { Outputs } from "../outputs/read.ts";
import type { Projects } from "../projects/projects.ts";
import type { Annotations, By } from "./annotations.ts";
import type { AnnotationVersions } from "./versions.ts";

/** The largest change with the JSON around it. */
const LARGEST_BODY_BYTES = 16_000_000;

export function annotationRoutes(
  mount: Mount,
  parts: {
    projects: Projects;
    outputs: Outputs;
    annotations: Annotations;
    annotationVersions: AnnotationVersions;
  },
): void {
  const { projects, outputs, annotations, annotationVersions: versions } = parts;
  /** Whose change it is; throws project_not_found unless it is the owner's. */
  const by = async (session: Session, projectId: string): Promise<By> => {
    const { id } = await projects.owned(session.userId, projectId);
    return { projectId: id, author: session.email };
  };

  mount(visualizationAnnotations, async ({ results: { projectId, readOnly } }) => {
    const [state, cells] = await Promise.all([
      annotations.read(projectId),
      outputs.find(projectId, `${VIEWER_FOLDER}/cells.xy.f32`),
    ]);
    const items = readOnly ? state.items.map((item) => ({ ...item, author: null })) : state.items;
    return { status: 200, body: { ...state, items, cells: cells?.sha256 ?? null } };
  });

  mount(
    changeAnnotations,
    async ({ session, params, body }) => {
      const whose = await by(session, params.id);
      return { status: 200, body: await annotations.change(whose, body.id, body.changes) };
    },
    { largestBodyBytes: LARGEST_BODY_BYTES },
  );

  mount(undoAnnotations, async ({ session, params, body }) => {
    const whose = await by(session, params.id);
    return { status: 200, body: await annotations.step(whose, "undo", body.revision) };
  });

  mount(redoAnnotations, async ({ session, params, body }) => {
    const whose = await by(session, params.id);
    return { status: 200, body: await annotations.step(whose, "redo", body.revision) };
  });

  mount(annotationHistory, async ({ session, params }) => {
    const { projectId } = await by(session, params.id);
    return { status: 200, body: await annotations.history(projectId) };
  });

  mount(annotationVersions, async ({ session, params }) => {
    const { projectId } = await by(session, params.id);
    return { status: 200, body: await versions.list(projectId) };
  });

  mount(saveAnnotationVersion, async ({ session, params, body }) => {
    const whose = await by(session, params.id);
    return { status: 201, body: await versions.save(whose, body.name) };
  });

  mount(restoreAnnotationVersion, async ({ session, params, body }) => {
    const whose = await by(session, params.id);
    return { status: 200, body: await versions.restore(whose, params.version, body.revision) };
  });

  mount(deleteAnnotationVersion, async ({ session, params }) => {
    const { projectId } = await by(session, params.id);
    await versions.remove(projectId, params.version);
    return { status: 200, body: { message: "Version deleted." } };
  });
}
