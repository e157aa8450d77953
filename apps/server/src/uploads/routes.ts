import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as routes from "@stipple/contract";
import { fitAffine } from "@stipple/contract/affine";
import { isOwnFile, OWN_FILES } from "@stipple/contract/platforms/own-files";
import type { Logger } from "pino";
import type { OwnedProject } from "../access/opened-results.ts";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import { ok, type Mount } from "../http/route-adapter.ts";
import { withTemporaryFolder } from "../operations/with-temporary-folder.ts";
import type { Scratch } from "../outputs/scratch.ts";
import { choicesOf } from "../projects/choices.ts";
import type { Projects } from "../projects/projects.ts";
import { copyName } from "./check-copy.ts";
import { receiveChunk } from "./multipart-chunk.ts";
import { splitProject } from "./split-project.ts";
import { remarkOn, type Uploads } from "./uploads.ts";

interface UploadRouteParts {
  projects: Projects;
  uploads: Uploads;
  database: Database;
  logger: Logger;
  scratch: Scratch;
}

export function uploadRoutes(mount: Mount, parts: UploadRouteParts): void {
  chunkRoutes(mount, parts);
  sampleRoutes(mount, parts);
  pieceRoutes(mount, parts);
  labelRoutes(mount, parts);
}

function chunkRoutes(mount: Mount, { projects, uploads }: UploadRouteParts): void {
  mount(routes.uploadChunk, async ({ session, params, query, request }) => {
    const project = await projects.ownedAndIdle(session.userId, query.project_id);
    const slot = slotOf(project, params.group, query.type);
    await using chunk = await receiveChunk(request, uploads.spool);
    const state = await uploads.accept(project.id, slot, chunk);
    const warning = state.complete ? remarkOn(slot, state.size) : undefined;
    return await ok({
      message: state.complete
        ? `${chunk.fileName} uploaded successfully`
        : `Chunk ${chunk.chunk + 1} of ${chunk.chunks} received`,
      received: state.received,
      chunks: chunk.chunks,
      complete: state.complete,
      ...(warning ? { warning } : {}),
    });
  });

  mount(routes.removeUpload, async ({ session, params, query }) => {
    const project = await projects.ownedAndIdle(session.userId, query.project_id);
    const slot = slotOf(project, params.group, query.type);
    await uploads.remove(project, slot);
    return ok({ message: `${slot.label}: removed` });
  });

  mount(routes.uploadedChunks, async ({ session, params, query }) => {
    const project = await projects.owned(session.userId, query.project_id);
    const slot = slotOf(project, params.group, query.type);
    const { fileName, ...state } = await uploads.state(project.id, slot);
    return ok({ file_name: fileName, ...state });
  });
}

function slotOf(
  { options }: OwnedProject,
  group: string,
  type: string | undefined,
): routes.UploadSlot {
  // The histology image has no type; some callers send an empty one.
  const slot = routes.findSlot(options.platform, group, type || undefined);
  if (!slot) throw new ApiError("upload_slot_unknown");
  return slot;
}

/** The answer to a question about a project's sample; `early` unless all required files are there. */
async function whenComplete<T>(
  parts: UploadRouteParts,
  project: OwnedProject,
  early: T,
  ask: (choices: routes.RunChoices) => Promise<T>,
): Promise<T> {
  const choices = await choicesOf(parts, project.id);
  return (await parts.uploads.isComplete(project)) ? ask(choices) : early;
}

const [ALIGNMENT] = OWN_FILES;
const EARLY = "The alignment can be checked when all required files are uploaded.";

/**
 * What can be tried on a project's files before a run: what the user's own hold, where the spots lie on the image,
 * landmarks that move them, and nuclei.
 */
function sampleRoutes(mount: Mount, parts: UploadRouteParts): void {
  const { projects, uploads } = parts;

  mount(routes.ownFileFindings, async ({ session, params }) => {
    const project = await projects.owned(session.userId, params.id);
    const found = await whenComplete(parts, project, {}, (choices) =>
      uploads.ownFindings(project, choices),
    );
    return ok(
      Object.entries(found).map(([slot, { isFault, sentence }]) => ({
        slot,
        is_fault: isFault,
        sentence,
      })),
    );
  });

  mount(routes.ownFile, async ({ session, params }) => {
    const project = await projects.owned(session.userId, params.id);
    const file = isOwnFile(params.slot) ? await uploads.open(project.id, params.slot) : null;
    if (!file) throw new ApiError("not_found");
    const headers = {
      "cache-control": "no-store",
      "content-type": "application/octet-stream",
      "content-length": file.size,
    };
    return { status: 200, headers, body: file.bytes };
  });

  mount(routes.registration, async ({ session, params }) => {
    const project = await projects.owned(session.userId, params.id);
    const early = { look: null, fault: EARLY };
    return ok(
      whenComplete<routes.RegistrationAnswer>(parts, project, early, (choices) =>
        uploads.registration(project, choices),
      ),
    );
  });

  mount(routes.detection, async ({ results: project, query }) => {
    const choices = await choicesOf(parts, project.id);
    const [x, y] = query.at?.split(",").map(Number) ?? [];
    const place = x === undefined || y === undefined ? null : ([x, y] as const);
    return ok(uploads.detection(project, choices, place));
  });

  mount(routes.saveLandmarks, async ({ session, params, body }) => {
    const project = await projects.ownedAndIdle(session.userId, params.id);
    assertFits(body.landmarks);
    const text = JSON.stringify({ landmarks: body.landmarks });
    await uploads.putText(project.id, ALIGNMENT, text, "landmarks.json");
    return ok({ message: "The alignment is kept: the next run uses it." });
  });
}

/** Throws invalid_request unless the landmarks determine an affine map. */
function assertFits(landmarks: readonly routes.Landmark[]): void {
  if (landmarks.length < 3) {
    throw new ApiError(
      "invalid_request",
      `An alignment needs at least 3 landmarks, not ${landmarks.length}: add more, far apart and not on a line.`,
    );
  }
  const map = fitAffine(
    landmarks.flatMap(({ from }) => from),
    landmarks.flatMap(({ to }) => to),
  );
  if (!map) {
    throw new ApiError("invalid_request", "These landmarks lie on a line: add one that does not.");
  }
}

const TOO_EARLY_FOR_PIECES: routes.PiecesAnswer = {
  ...{ pieces: [], noun: "spot" },
  fault: "Pieces can be looked for when all required files are uploaded.",
};

/** Pieces of tissue that lie apart on a slide, and projects of their own for them. */
function pieceRoutes(mount: Mount, parts: UploadRouteParts): void {
  const found = (project: OwnedProject) =>
    whenComplete(parts, project, TOO_EARLY_FOR_PIECES, (choices) =>
      parts.uploads.pieces(project, choices),
    );

  mount(routes.pieces, async ({ session, params }) =>
    ok(found(await parts.projects.owned(session.userId, params.id))),
  );

  mount(routes.splitProject, async ({ session, params }) => {
    const project = await parts.projects.owned(session.userId, params.id);
    const choices = await choicesOf(parts, project.id);
    const projects = await splitProject(parts, project, choices, await found(project));
    const message = `${projects.length} projects were created, one for each piece.`;
    return { status: 201, body: { projects, message } };
  });
}

/** Label images that are imported as regions. */
function labelRoutes(mount: Mount, { projects, uploads, scratch }: UploadRouteParts): void {
  mount(routes.readLabelImage, async ({ session, params, query, request }) => {
    const [width, height] = [Number(query.width), Number(query.height)];
    if (!(width > 0 && height > 0)) {
      throw new ApiError("invalid_request", "The image's width and height must be above 0.");
    }
    await projects.owned(session.userId, params.id);
    await using chunk = await receiveChunk(request, uploads.spool);
    if (chunk.chunks > 1)
      throw new ApiError(
        "upload_too_large",
        "A label image can have at most 10 MB: save it with compression.",
      );
    return await withTemporaryFolder(scratch.folder, async (folder) => {
      const labels = join(folder, copyName(chunk.fileName));
      if ("path" in chunk.source) await copyFile(chunk.source.path, labels);
      else await writeFile(labels, chunk.source);
      const outcome = await uploads.labels({ labels, image: { width, height } });
      if ("fault" in outcome) throw new ApiError("upload_file_invalid", outcome.fault);
      return ok(outcome);
    });
  });
}
