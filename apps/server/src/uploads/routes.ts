import {
  findSlot,
  ownFileFindings,
  removeUpload,
  uploadChunk,
  uploadedChunks,
  type UploadSlot,
} from "@stipple/contract";
import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import { choicesOf } from "../projects/choices.ts";
import type { Projects } from "../projects/projects.ts";
import { ApiError } from "../http/api-error.ts";
import { ok } from "../http/ok.ts";
import type { Mount } from "../http/route-adapter.ts";
import type { OwnedProject } from "../access/opened-results.ts";
import { receiveChunk } from "./multipart-chunk.ts";
import { remarkOn, type Uploads } from "./uploads.ts";

interface UploadRouteParts {
  projects: Projects;
  uploads: Uploads;
  database: Database;
  logger: Logger;
}

export function uploadRoutes(
  mount: Mount,
  { projects, uploads, ...choiceParts }: UploadRouteParts,
): void {
  mount(uploadChunk, async ({ session, params, query, request }) => {
    const project = await projects.ownedAndIdle(session.userId, query.project_id);
    const slot = slotOf(project, params.group, query.type);
    await using chunk = await receiveChunk(request, uploads.spool);
    const state = await uploads.accept(project.id, slot, chunk);
    const warning = state.complete ? remarkOn(slot, state.size) : undefined;
    return ok({
      message: state.complete
        ? `${chunk.fileName} uploaded successfully`
        : `Chunk ${chunk.chunk + 1} of ${chunk.chunks} received`,
      received: state.received,
      chunks: chunk.chunks,
      complete: state.complete,
      ...(warning ? { warning } : {}),
    });
  });

  mount(removeUpload, async ({ session, params, query }) => {
    const project = await projects.ownedAndIdle(session.userId, query.project_id);
    const slot = slotOf(project, params.group, query.type);
    await uploads.remove(project, slot);
    return ok({ message: `${slot.label}: removed` });
  });

  mount(ownFileFindings, async ({ session, params }) => {
    const project = await projects.owned(session.userId, params.id);
    const choices = await choicesOf(choiceParts, project.id);
    const isComplete = await uploads.isComplete(project);
    const found = isComplete ? await uploads.ownFindings(project, choices) : {};
    return ok(
      Object.entries(found).map(([slot, { isFault, sentence }]) => ({
        slot,
        is_fault: isFault,
        sentence,
      })),
    );
  });

  mount(uploadedChunks, async ({ session, params, query }) => {
    const project = await projects.owned(session.userId, query.project_id);
    const state = await uploads.state(project.id, slotOf(project, params.group, query.type));
    return ok({
      file_name: state.fileName,
      received: state.received,
      chunks: state.chunks,
      complete: state.complete,
      size: state.size,
      sha256: state.sha256,
    });
  });
}

function slotOf({ options }: OwnedProject, group: string, type: string | undefined): UploadSlot {
  // The histology image has no type; some callers send an empty one.
  const slot = findSlot(options.platform, group, type || undefined);
  if (!slot) throw new ApiError("upload_slot_unknown");
  return slot;
}
