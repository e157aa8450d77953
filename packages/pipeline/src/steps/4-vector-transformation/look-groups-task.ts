import { defineTask } from "../../engine/tasks/task.ts";
import type { Membership, TissueData } from "./fit-expression.ts";

/** Groups cells by look on one thread. */
export const groupLooks = defineTask<
  { features: TissueData["features"] },
  { k: number; seed: number },
  Membership
>("group-looks", new URL("./look-groups-worker.ts", import.meta.url));
