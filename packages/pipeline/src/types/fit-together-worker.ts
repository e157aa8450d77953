import { throwIfLeft } from "../engine/tasks/left-task.ts";
import type { AnchoredModel } from "./anchored-fit.ts";
import type { AnchoredFitOrder, AnchoredFitWork } from "./fit-together-task.ts";
import { fitInOrder } from "./fit-together.ts";

/** Runs in a worker thread. */
export default function work(
  { anchors, done }: AnchoredFitWork,
  { place, ...order }: AnchoredFitOrder & { place: number },
): Promise<AnchoredModel> {
  return fitInOrder(anchors, order, (fraction) => {
    done[place] = fraction;
    throwIfLeft();
    return Promise.resolve();
  });
}
