import type { AnalysisOptions } from "@stipple/contract/analysis-options";
import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { createProject } from "@stipple/contract/routes/projects";
import { changeStudy, readStudy } from "@stipple/contract/routes/studies";
import { queueWorkflow } from "@stipple/contract/routes/workflow";
import { useSyncExternalStore } from "react";
import { api, ApiError, errorText } from "../../../app/api.ts";
import { prepared } from "../../../project/uploads/slot-files.ts";
import { refusals } from "../../../project/uploads/texts.ts";
import { uploadKey } from "../../../project/uploads/upload.ts";
import { keepQuiet, uploads } from "../../../project/uploads/uploads.ts";
import { sent, withSample } from "../design.ts";

/** A checked sample to create, upload, and run. */
export interface NewSample {
  name: string;
  /** The project that it continues. */
  projectId: string | null;
  options: AnalysisOptions;
  settings: Record<string, unknown>;
  design: { condition: string; patient: string; batch: string; more: Record<string, string> };
  files: readonly { slot: UploadSlot; file: File }[];
}

/** A sample on its way, as this tab knows it. */
export interface Sending {
  studyId: string;
  name: string;
  projectId: string | null;
  state: "creating" | "uploading" | "queueing" | "queued" | "failed";
  failure?: string;
  sample: NewSample;
}

/** Outside the pages, because samples go on while the user is elsewhere in the app. */
let sendings: readonly Sending[] = [];
const listeners = new Set<() => void>();

export function useSendings(): readonly Sending[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => sendings,
  );
}

function set(next: Sending): void {
  const isSame = (one: Sending): boolean => one.studyId === next.studyId && one.name === next.name;
  sendings = sendings.some(isSame)
    ? sendings.map((one) => (isSame(one) ? next : one))
    : [...sendings, next];
  for (const listener of listeners) listener();
}

/**
 * Creates a project for each sample, one after the other, and puts it into the study; uploads and runs begin meanwhile.
 * Resolves once all are in the study. A sample that fails does not stop the others.
 */
export async function sendSamples(studyId: string, samples: readonly NewSample[]): Promise<void> {
  for (const sample of samples) {
    const { name, projectId } = sample;
    set({ studyId, name, projectId, state: "creating", sample });
  }
  for (const sample of samples) await begin(studyId, sample);
}

/** Tries a failed sample again, from where it failed. */
export async function sendAgain({ studyId, sample, projectId }: Sending): Promise<void> {
  await begin(studyId, { ...sample, projectId });
}

async function begin(studyId: string, sample: NewSample): Promise<void> {
  const { name } = sample;
  let { projectId } = sample;
  set({ studyId, name, projectId, state: "creating", sample });
  try {
    if (projectId === null) {
      const { options, settings } = sample;
      const body = { project_name: name, analysis_options: options, settings };
      projectId = (await api(createProject, { body })).project_id;
    }
    await join(studyId, projectId, sample);
  } catch (error) {
    const failure = errorText(error);
    return set({ studyId, name, projectId, state: "failed", failure, sample });
  }
  void carry({ studyId, name, projectId, state: "uploading", sample }, projectId);
}

/** Puts a project into the study as it is by now, unless it is there. */
async function join(studyId: string, projectId: string, sample: NewSample): Promise<void> {
  const { name, design } = sample;
  const params = { id: studyId };
  const now = await api(readStudy, { params });
  if (now.samples.some(({ project_id }) => project_id === projectId)) return;
  const { columns, samples } = sent(now);
  const further = Object.keys(design.more).filter((column) => !columns.includes(column));
  const body = {
    version: now.version,
    columns: [...columns, ...further],
    samples: withSample(samples, { project_id: projectId, name, ...design }),
  };
  await api(changeStudy, { params, body }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "study_changed") throw error;
    return join(studyId, projectId, sample);
  });
}

async function carry(sending: Sending, projectId: string): Promise<void> {
  const { sample } = sending;
  set(sending);
  const failures = await Promise.all(
    sample.files.map(({ slot, file }) => upload(projectId, slot, file)),
  );
  const failure = failures.find((one) => one !== null);
  if (failure) return set({ ...sending, state: "failed", failure });
  set({ ...sending, state: "queueing" });
  try {
    await api(queueWorkflow, { body: { project_id: projectId } });
    set({ ...sending, state: "queued" });
  } catch (error) {
    set({ ...sending, state: "failed", failure: errorText(error) });
  }
}

/** Why a file could not be uploaded; null once it is. */
async function upload(projectId: string, slot: UploadSlot, file: File): Promise<string | null> {
  const ready = await prepared(slot, file).catch(() => null);
  if (!ready) return refusals.damaged(file.name);
  keepQuiet(projectId);
  await uploads.add(projectId, slot, ready);
  const { state, error } = uploads.snapshot().get(uploadKey(projectId, slot.id)) ?? {};
  return state === "done" ? null : `${file.name}: ${error ?? ""}`;
}
