import { detection, registration, saveLandmarks, type Landmark } from "@stipple/contract";
import { fitAffine } from "@stipple/contract/affine";
import { OWN_FILES } from "@stipple/contract/platforms/own-files";
import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { Mount } from "../http/route-adapter.ts";
import { choicesOf } from "../projects/choices.ts";
import type { Projects } from "../projects/projects.ts";
import type { Uploads } from "./uploads.ts";

interface RegistrationParts {
  projects: Projects;
  uploads: Uploads;
  database: Database;
  logger: Logger;
}

const [ALIGNMENT] = OWN_FILES;
const EARLY = "The spots can be shown when all required files are uploaded.";

/** What can be tried on a project's image before a run: where its spots lie, landmarks that move them, and nuclei. */
export function registrationRoutes(mount: Mount, parts: RegistrationParts): void {
  const { projects, uploads } = parts;

  mount(registration, async ({ session, params }) => {
    const project = await projects.owned(session.userId, params.id);
    const choices = await choicesOf(parts, project.id);
    const isComplete = await uploads.isComplete(project);
    const body = isComplete
      ? await uploads.registration(project, choices)
      : { look: null, fault: EARLY };
    return { status: 200, body };
  });

  mount(detection, async ({ results: project, query }) => {
    const choices = await choicesOf(parts, project.id);
    const [x, y] = query.at?.split(",").map(Number) ?? [];
    const place = x === undefined || y === undefined ? null : ([x, y] as const);
    return { status: 200, body: await uploads.detection(project, choices, place) };
  });

  mount(saveLandmarks, async ({ session, params, body }) => {
    const project = await projects.ownedAndIdle(session.userId, params.id);
    assertFits(body.landmarks);
    const text = JSON.stringify({ landmarks: body.landmarks });
    await uploads.putText(project.id, ALIGNMENT, text, "landmarks.json");
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
