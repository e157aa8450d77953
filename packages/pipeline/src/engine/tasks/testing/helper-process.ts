import { steps } from "../../../steps/index.ts";
import type { Places } from "../named-files.ts";
import { openHelper } from "../open-helper.ts";
import type { FromHelper, ToHelper } from "./second-process.ts";

/** A second machine for tests: a separate process with its own folders. */
const helper = openHelper(steps, 1);
const places = JSON.parse(process.argv[2]!) as Places;
const underWay = new Map<number, AbortController>();

process.on("message", (message: ToHelper) => {
  if (message.kind === "stop") underWay.get(message.id)?.abort();
  else void carryOut(message);
});
process.on("disconnect", () => process.exit());
process.send!({ kind: "ready" } satisfies FromHelper);

async function carryOut({ id, common, inputs }: ToHelper & { kind: "batch" }): Promise<void> {
  const controller = new AbortController();
  underWay.set(id, controller);
  process.send!({ kind: "begun" } satisfies FromHelper);
  const batch = {
    common: { id: common.id, read: () => Promise.resolve(common.bytes) },
    inputs,
  };
  const answer: FromHelper = await helper.carryOut(batch, places, controller.signal).then(
    (result) => ({ kind: "done", id, result }),
    (error: Error) => ({ kind: "undone", id, reason: error.message }),
  );
  process.send!(answer);
}
