import { StatusPill } from "../../components/status-pill.tsx";
import { PROJECT_STATUS_NAMES } from "./texts.ts";
import { statusTone } from "../../project/project-facts.ts";

export function ProjectPill({ status }: { status: string }) {
  return (
    <StatusPill tone={statusTone(status)} pulse={status === "processing"}>
      {PROJECT_STATUS_NAMES[status] ?? status}
    </StatusPill>
  );
}
