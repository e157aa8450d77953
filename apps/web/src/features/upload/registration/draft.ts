import type { Landmark } from "@stipple/contract/routes/registration";
import { keepJson, keptJson } from "../../../app/kept-json.ts";

/** Landmarks that are not kept on the server yet survive a closed tab. */
const PREFIX = "stipple.landmarks";
const BROWSER = () => localStorage;

export const draftOf = (projectId: string) =>
  keptJson(BROWSER, `${PREFIX}.${projectId}`) as Landmark[] | null;

export const keepDraft = (projectId: string, landmarks: readonly Landmark[] | null) =>
  keepJson(BROWSER, `${PREFIX}.${projectId}`, landmarks);
