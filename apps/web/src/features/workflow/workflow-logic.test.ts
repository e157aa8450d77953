import type { QueueStatus, WorkflowStatus } from "@stipple/contract/routes/workflow";
import { describe, expect, it } from "vitest";
import { whole } from "../../project/fetch-status.ts";
import { finishedSteps, isComplete, isFinal, phaseOf } from "../../project/phase.ts";
import { processingFlag } from "./processing-flag.ts";
import { elapsedText, monotonicPercent, percentOf, waitText } from "./progress.ts";
import { controlsDisabled, startLabel } from "../../project/start-label.ts";

function statusWith(part: Partial<WorkflowStatus>, done = 0): WorkflowStatus {
  const files = Object.fromEntries(
    Array.from({ length: 8 }, (_, step) => [`step_${step}`, step < done ? ["file"] : []]),
  ) as WorkflowStatus["output_files"];
  return whole({ status: "created", output_files: files, ...part });
}

const queue = (part: Partial<QueueStatus>): QueueStatus => ({
  has_workflow: true,
  project_id: "p",
  project_name: "p",
  status: "pending",
  position: 2,
  estimated_wait: 5,
  ...part,
});

describe("start button", () => {
  it("shows what a click would do, or what is in progress", () => {
    expect(startLabel("idle", 0, null)).toBe("Start Workflow");
    expect(startLabel("idle", 3, null)).toBe("Resume Workflow");
    expect(startLabel("failed", 0, null)).toBe("Start Workflow");
    expect(startLabel("queued", 0, 2)).toBe("In Queue (Position: 2)");
    expect(startLabel("processing", 3, null)).toBe("Processing...");
  });

  it("is disabled while queued, processing, or complete", () => {
    expect(
      (["idle", "queued", "processing", "completed", "failed", "canceled"] as const).map(
        controlsDisabled,
      ),
    ).toEqual([false, true, true, true, false, false]);
  });
});

describe("phaseOf", () => {
  it("treats a project as complete as soon as step 7 has files", () => {
    const complete = statusWith({ status: "processing" }, 8);
    expect(phaseOf("p", complete, queue({}), true)).toBe("completed");
    expect(isFinal(complete)).toBe(true);
    expect(isFinal(statusWith({ status: "failed" }, 3))).toBe(true);
    expect(isFinal(statusWith({ status: "processing" }, 7))).toBe(false);
  });

  it("says that a run was canceled, which is final", () => {
    const canceled = statusWith({ status: "cancelled" }, 3);
    expect(phaseOf("p", canceled, undefined, true)).toBe("canceled");
    expect(isFinal(canceled)).toBe(true);
  });

  it("never shows another project's queue on this one", () => {
    expect(phaseOf("p", statusWith({}), queue({ project_id: "other" }), false)).toBe("idle");
    const pending = statusWith({ status: "pending" });
    expect(phaseOf("p", pending, queue({}), false)).toBe("queued");
    expect(phaseOf("p", pending, queue({ status: "running" }), false)).toBe("processing");
    const other = queue({ project_id: "other", status: "running" });
    expect(phaseOf("p", pending, other, false)).toBe("queued");
  });

  it("ends with the run, whatever the queue last reported", () => {
    for (const [status, phase] of [
      ["failed", "failed"],
      ["cancelled", "canceled"],
    ] as const)
      expect(phaseOf("p", statusWith({ status }), queue({ status: "running" }), true)).toBe(phase);
  });

  it("follows the queue when it knows of a run before the status does", () => {
    expect(phaseOf("p", statusWith({}), queue({}), false)).toBe("queued");
    expect(phaseOf("p", statusWith({}), queue({ status: "running" }), false)).toBe("processing");
  });

  it("trusts the server over the stored flag", () => {
    expect(phaseOf("p", undefined, undefined, true)).toBe("processing");
    expect(phaseOf("p", statusWith({ status: "failed" }), undefined, true)).toBe("failed");
    expect(phaseOf("p", statusWith({ status: "pending" }), undefined, false)).toBe("queued");
  });
});

describe("progress", () => {
  it("adds the weights of finished steps and the part of the current one", () => {
    expect(finishedSteps(statusWith({}, 2))).toEqual([0, 1]);
    expect(percentOf(statusWith({ current_step: 2, step_progress: 0.5 }, 2))).toBe(27.5);
    expect(percentOf(statusWith({ percent: 40 }, 2))).toBe(40);
    expect(percentOf(statusWith({}, 8))).toBe(100);
  });

  it("never goes backward within a run and restarts with the next", () => {
    const furthest = monotonicPercent();
    expect([10, 35, 20, 36].map((percent) => furthest("a", percent))).toEqual([10, 35, 35, 36]);
    expect(furthest("b", 5)).toBe(5);
  });

  it("expresses times in words", () => {
    expect(elapsedText(41.6)).toBe("42 s");
    expect(elapsedText(185)).toBe("3 min 05 s");
    expect(elapsedText(3840)).toBe("1 h 04 min");
    expect(waitText(null)).toBe("The wait time is not known yet.");
    expect(waitText(0.4)).toBe("Estimated wait: less than a minute.");
    expect(waitText(1)).toBe("Estimated wait: 1 minute.");
    expect(waitText(2.2)).toBe("Estimated wait: 3 minutes.");
  });
});

it("keeps a separate processing flag for each user and project", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  } as unknown as Storage;
  processingFlag("ann", "p", storage).set(true);
  expect(processingFlag("ann", "p", storage).get()).toBe(true);
  expect(processingFlag("ben", "p", storage).get()).toBe(false);
  processingFlag("ann", "p", storage).set(false);
  expect(kept.size).toBe(0);
});

describe("a response with only the specified fields", () => {
  const sparse = { status: "processing", output_files: { step_0: ["a"] } } as never;

  it("treats missing fields as empty", () => {
    const status = whole(sparse);
    expect([finishedSteps(status), isComplete(status), percentOf(status)]).toEqual([
      [0],
      false,
      10,
    ]);
    expect(whole({ status: "created" }).output_files.step_7).toEqual([]);
  });

  it("refers to the requested project, if from the queue", () => {
    const { project_id: _, ...rest } = queue({ status: "running" });
    expect(phaseOf("p", statusWith({ status: "pending" }), rest as QueueStatus, false)).toBe(
      "processing",
    );
  });
});
