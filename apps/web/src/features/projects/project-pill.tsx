import type { Project } from "@stipple/contract";
import { StatusPill, type Tone } from "../../components/status-pill.tsx";
import { shownStatus } from "../../project/project-facts.ts";
import { PROJECT_STATUS_NAMES } from "./texts.ts";

const TONES: Record<string, Tone> = {
  pending: "warn",
  processing: "info",
  completed: "ok",
  failed: "bad",
  cancelled: "warn",
};

export function ProjectPill({ project }: { project: Pick<Project, "status" | "waits"> }) {
  const status = shownStatus(project);
  return (
    <StatusPill tone={TONES[status] ?? "neutral"} pulse={status === "processing"}>
      {PROJECT_STATUS_NAMES[status] ?? status}
    </StatusPill>
  );
}
