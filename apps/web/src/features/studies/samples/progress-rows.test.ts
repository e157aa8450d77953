import type { StudySample } from "@stipple/contract/routes/studies";
import { expect, it } from "vitest";
import { progressRows } from "./progress-rows.ts";
import type { Sending } from "./send-samples.ts";

const sample = (name: string, status: string): StudySample =>
  ({ name, project_id: name, status }) as unknown as StudySample;
const sending = (name: string, state: Sending["state"]): Sending =>
  ({ name, projectId: name, state }) as unknown as Sending;

it("lists samples without results and those on their way into the study, none that left it", () => {
  const rows = progressRows(
    [sample("done", "completed"), sample("runs", "processing")],
    [
      sending("done", "queued"),
      sending("runs", "queued"),
      sending("removed", "queued"),
      sending("refused", "failed"),
    ],
  );
  expect(rows.map(({ name, sending: sent }) => [name, sent?.state])).toEqual([
    ["runs", "queued"],
    ["refused", "failed"],
  ]);
});
