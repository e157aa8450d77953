import type { Project } from "@stipple/contract";
import { StatusPill } from "../../components/status-pill.tsx";
import { PROJECT_STATUS_NAMES } from "./texts.ts";
import { statusTone } from "../../project/project-facts.ts";

/** A project that waits for the account's other runs is queued, whatever became of its last run. */
export function ProjectPill({ project }: { project: Pick<Project, "status" | "waits"> }) {
  const status = project.waits ? "pending" : project.status;
  return (
    <StatusPill tone={statusTone(status)} pulse={status === "processing"}>
      {PROJECT_STATUS_NAMES[status] ?? status}
    </StatusPill>
  );
}
