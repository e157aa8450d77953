import { createProject } from "@stipple/contract/routes/projects";
import { takeReference } from "@stipple/contract/routes/references";
import { REFERENCE_SLOT } from "@stipple/contract/platforms/shared-slots";
import { useState } from "react";
import { api, errorText } from "../../app/api.ts";
import { useNavigateFromHere } from "../../app/use-navigate-from-here.ts";
import { useAttempt } from "../../app/use-attempt.ts";
import { analysisPath } from "../../app/use-project-id.ts";
import { toast } from "../../components/toast-store.ts";
import { referenceTexts } from "../../project/references/texts.ts";
import { startSample } from "../../project/start-sample.ts";
import { uploads } from "../../project/uploads/uploads.ts";
import type { More } from "./more-choices.tsx";
import { checkSetup, type Setup } from "./setup-rules.ts";
import { setupTexts } from "./texts.ts";

/** How long the success message is shown before the next page, ms: long enough for a screen reader. */
const BEFORE_UPLOAD_MS = 900;

/** Creates a project and opens its next page. */
export function useCreation() {
  const navigate = useNavigateFromHere();
  const { attempt, busy, message, setMessage } = useAttempt();
  const [doing, setDoing] = useState<"create" | "sample">("create");

  async function create(setup: Setup, more: More): Promise<void> {
    const checked = checkSetup(setup);
    if ("problem" in checked) return setMessage({ text: checked.problem, failed: true });
    setDoing("create");
    await attempt(async () => {
      const settings = Object.keys(more.settings).length > 0 ? { settings: more.settings } : {};
      const body = { ...checked.body, ...settings };
      const { project_id: projectId } = await api(createProject, { body });
      if (more.reference) void uploads.add(projectId, REFERENCE_SLOT, more.reference);
      if (more.kept) await take(projectId, more.kept);
      setMessage({ text: setupTexts.created, failed: false });
      await new Promise((resolve) => setTimeout(resolve, BEFORE_UPLOAD_MS));
      // The way back leads to the project that there is now, not to a form for another one.
      navigate(analysisPath(1, projectId), { replace: true });
      navigate(analysisPath(2, projectId), { state: { projectId } });
    }, failureText(setupTexts.failedFallback));
  }

  async function createSample(): Promise<void> {
    setDoing("sample");
    await attempt(async () => {
      const { to, state } = await startSample();
      navigate(to, { state });
    }, failureText(setupTexts.sampleFallback));
  }

  return { busy: busy ? doing : null, message, setMessage, create, createSample };
}

const failureText =
  (fallback: string) =>
  (error: unknown): string =>
    setupTexts.failed(errorText(error, fallback));

/** Uses a kept reference in a new project, which is there even if this fails. */
async function take(projectId: string, reference: string): Promise<void> {
  try {
    const body = { reference_id: reference };
    await api(takeReference, { params: { id: projectId }, body });
  } catch (error) {
    toast(referenceTexts.useFailed(errorText(error, referenceTexts.noAnswer)), { failed: true });
  }
}
