import { pieces, splitProject as splitRoute, type PiecesAnswer } from "@stipple/contract";
import type { Logger } from "pino";
import type { OwnedProject } from "../access/opened-results.ts";
import type { Database } from "../db/database.ts";
import type { Mount } from "../http/route-adapter.ts";
import { choicesOf } from "../projects/choices.ts";
import type { Projects } from "../projects/projects.ts";
import { splitProject } from "./split-project.ts";
import type { Uploads } from "./uploads.ts";

interface PieceParts {
  projects: Projects;
  uploads: Uploads;
  database: Database;
  logger: Logger;
}

const EARLY = "Pieces can be looked for when all required files are uploaded.";

/** Pieces of tissue that lie apart on a slide, and projects of their own for them. */
export function pieceRoutes(mount: Mount, parts: PieceParts): void {
  const { projects, uploads } = parts;

  async function found(project: OwnedProject) {
    const choices = await choicesOf(parts, project.id);
    const isComplete = await uploads.isComplete(project);
    const answer: PiecesAnswer = isComplete
      ? await uploads.pieces(project, choices)
      : { pieces: [], noun: "spot", fault: EARLY };
    return { answer, choices };
  }

  mount(pieces, async ({ session, params }) => {
    const project = await projects.owned(session.userId, params.id);
    return { status: 200, body: (await found(project)).answer };
  });

  mount(splitRoute, async ({ session, params }) => {
    const project = await projects.owned(session.userId, params.id);
    const { answer, choices } = await found(project);
    const made = await splitProject(parts, project, choices, answer);
    return {
      status: 201,
      body: {
        projects: made,
        message: `${made.length} projects were created, one for each piece.`,
      },
    };
  });
}
