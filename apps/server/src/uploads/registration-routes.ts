import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { missingSlots, registration, saveLandmarks, type Landmark } from "@stipple/contract";
import { fitAffine } from "@stipple/contract/affine";
import { OWN_FILES } from "@stipple/contract/platforms/own-files";
import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { Mount } from "../http/route-adapter.ts";
import type { Scratch } from "../outputs/scratch.ts";
import { choicesOf } from "../projects/choices.ts";
import type { Projects } from "../projects/projects.ts";
import type { Uploads } from "./uploads.ts";

interface RegistrationParts {
  projects: Projects;
  uploads: Uploads;
  scratch: Scratch;
  database: Database;
  logger: Logger;
}

const [ALIGNMENT] = OWN_FILES;
const EARLY = "The spots can be shown when all required files are uploaded.";

/** Where a project's spots lie on its image before a run, and landmarks that move them. */
export function registrationRoutes(mount: Mount, parts: RegistrationParts): void {
  const { projects, uploads, scratch } = parts;

  mount(registration, async ({ session, params }) => {
    const project = await projects.owned(session.userId, params.id);
    const choices = await choicesOf(parts, project.id);
    const filled = new Set(Object.keys(await uploads.complete(project.id)));
    const isComplete = missingSlots(project.options.platform, filled).length === 0;
    const body = isComplete
      ? await uploads.registration(project, choices)
      : { look: null, fault: EARLY };
    return { status: 200, body };
  });

  mount(saveLandmarks, async ({ session, params, body }) => {
    const project = await projects.ownedAndIdle(session.userId, params.id);
    assertFits(body.landmarks);
    const path = join(scratch.folder, `${randomUUID()}.json`);
    try {
      await writeFile(path, JSON.stringify({ landmarks: body.landmarks }));
      await uploads.put(project.id, ALIGNMENT, path, "landmarks.json");
    } finally {
      await rm(path, { force: true });
    }
    return { status: 200, body: { message: "The alignment is kept: the next run uses it." } };
  });
}

/** Throws invalid_request unless the landmarks determine an affine map. */
function assertFits(landmarks: readonly Landmark[]): void {
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
