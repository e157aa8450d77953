import { enableCompileCache } from "node:module";
import { readFile, writeFile } from "node:fs/promises";
import type { Helper } from "@stipple/pipeline";
import { endWithParent } from "../end-with-parent.ts";
import type { FromTaskProcess, ToTaskProcess } from "./task-messages.ts";

/** The process in which an idle worker does batches of another one's step. It lives from batch to batch of one run. */
endWithParent();
enableCompileCache();
const { openHelper, steps } = await import("@stipple/pipeline");

const underWay = new Map<number, AbortController>();
let helper: Helper | undefined;

process.on("message", (message: ToTaskProcess) => {
  if (message.kind === "stop") underWay.get(message.id)?.abort();
  else void carryOut(message);
});
tell({ kind: "ready" });

async function carryOut(message: ToTaskProcess & { kind: "batch" }): Promise<void> {
  const { id, common, places } = message;
  const controller = new AbortController();
  underWay.set(id, controller);
  try {
    helper ??= openHelper(steps, message.threads);
    const batch = {
      common: { id: common.id, read: () => readFile(common.path) },
      inputs: await readFile(message.inputs),
    };
    await writeFile(message.result, await helper.carryOut(batch, places, controller.signal));
    tell({ kind: "ended", id });
  } catch (error) {
    tell({ kind: "ended", id, reason: error instanceof Error ? error.message : String(error) });
  } finally {
    underWay.delete(id);
  }
}

function tell(message: FromTaskProcess): void {
  process.send?.(message);
}
