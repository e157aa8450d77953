import type { StudySample } from "@stipple/contract/routes/studies";
import type { Sending } from "./send-samples.ts";

/** A sample without results: what the server says, and what this tab sends of it. */
export interface ProgressRow {
  name: string;
  sample: StudySample | undefined;
  sending: Sending | undefined;
}

/** The samples of a study without results, and those that this tab has not brought into it yet. */
export function progressRows(
  samples: readonly StudySample[],
  sendings: readonly Sending[],
): ProgressRow[] {
  const open = samples.filter(({ status }) => status !== null && status !== "completed");
  const rows: ProgressRow[] = open.map((sample) => ({
    name: sample.name,
    sample,
    sending: sendings.find(({ projectId }) => projectId === sample.project_id),
  }));
  for (const sending of sendings) {
    const isThere = samples.some(({ project_id }) => project_id === sending.projectId);
    // One that was there has been removed or deleted since.
    if (isThere || sending.state === "queued") continue;
    rows.push({ name: sending.name, sample: undefined, sending });
  }
  return rows;
}
