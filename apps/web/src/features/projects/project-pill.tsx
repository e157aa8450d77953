import type { Project } from "@stipple/contract";
import { StatusPill, type Tone } from "../../components/status-pill.tsx";
import { PROJECT_STATUS_NAMES } from "./texts.ts";

const TONES: Record<string, Tone> = {
  pending: "warn",
  processing: "info",
  completed: "ok",
  failed: "bad",
  cancelled: "warn",
};

/** A project that waits for the account's other runs is queued, whatever became of its last run. */
export function ProjectPill({ project }: { project: Pick<Project, "status" | "waits"> }) {
  const status = project.waits ? "pending" : project.status;
  return (
    <StatusPill tone={TONES[status] ?? "neutral"} pulse={status === "processing"}>
      {PROJECT_STATUS_NAMES[status] ?? status}
    </StatusPill>
  );
}
