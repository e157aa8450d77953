import type { Project } from "@stipple/contract";
import { cleanOptions, type AnalysisOptions } from "@stipple/contract/analysis-options";
import { platformById } from "@stipple/contract/platforms/index";
import type { Tone } from "../components/status-pill.tsx";
import { OPTION_NAMES } from "./option-names.ts";

type State = Pick<Project, "status" | "waits">;

/** A project that waits for the account's other runs is queued, whatever became of its last run. */
export function shownStatus({ status, waits }: State): Project["status"] {
  return waits ? "pending" : status;
}

/** Queued or running: it may not be deleted, and opening it shows its progress. */
export function isBusy(project: Pick<Project, "status">): boolean {
  return project.status === "pending" || project.status === "processing";
}

/** Where opening a project leads: its progress while busy, results when completed, else the workflow. */
export function openingOf(project: Pick<Project, "status">): "progress" | "results" | "workflow" {
  if (isBusy(project)) return "progress";
  return project.status === "completed" ? "results" : "workflow";
}

/** Color of the days that a project is kept: over 30 green, over 7 yellow, else red. */
export function expiryTone(days: number): Tone {
  if (days > 30) return "ok";
  return days > 7 ? "warn" : "bad";
}

/** Days before deletion at which a warning is shown. */
const WARNED_DAYS = 7;

/** Projects that are deleted within a week, the first to go first; past ones count until they are gone. */
export function expiringSoon<P extends Pick<Project, "storage_expiry">>(
  projects: readonly P[],
  now: Date,
): P[] {
  const end = ({ storage_expiry }: P): number => Date.parse(storage_expiry ?? "");
  const limit = now.getTime() + WARNED_DAYS * 86_400_000;
  return projects.filter((project) => end(project) <= limit).toSorted((a, b) => end(a) - end(b));
}

/** "HD Visium · H&E · Advanced · 8x". */
export function configurationText(stored: AnalysisOptions): string {
  const options = cleanOptions(stored);
  return [
    platformById(options.platform).label,
    options.staining === "if" ? OPTION_NAMES.if : OPTION_NAMES.hAndE,
    options.analysis_type === "advanced" ? OPTION_NAMES.advanced : OPTION_NAMES.basic,
    ...(options.resolution ? [`${options.resolution}x`] : []),
  ].join(" · ");
}

/** The states that are counted together, by the name under which the list shows only those. */
const KINDS = {
  completed: ["completed"],
  processing: ["processing", "pending"],
  failed: ["failed"],
};
export type ProjectKind = keyof typeof KINDS;

export function countProjects(projects: readonly State[]) {
  const count = (kind: ProjectKind): number => ofKind(projects, kind).length;
  return {
    total: projects.length,
    completed: count("completed"),
    processing: count("processing"),
    failed: count("failed"),
  };
}

export function ofKind<P extends State>(projects: readonly P[], kind: ProjectKind): P[] {
  return projects.filter((project) => KINDS[kind].includes(shownStatus(project)));
}

/** The kind that an address asks for, if any. */
export function askedKind(search: string): ProjectKind | null {
  const asked = new URLSearchParams(search).get("show");
  return asked !== null && Object.hasOwn(KINDS, asked) ? (asked as ProjectKind) : null;
}
