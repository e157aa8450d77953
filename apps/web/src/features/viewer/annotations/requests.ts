import { LARGEST_ANNOTATION_CHANGE_BYTES } from "@stipple/contract/annotation-limits";
import type { Batch, PendingChange } from "./annotation-store.ts";
import { newId } from "./new-id.ts";

/** A batch as one request, or as few as their largest size allows. */
export function inRequests(batch: Batch): Batch[] {
  const requests: PendingChange[][] = [[]];
  let room = LARGEST_ANNOTATION_CHANGE_BYTES;
  for (const change of batch.changes) {
    // Most texts are ASCII; the rest fits the room that the server leaves.
    const size = JSON.stringify(change).length;
    if (size > room && requests.at(-1)!.length > 0) {
      requests.push([]);
      room = LARGEST_ANNOTATION_CHANGE_BYTES;
    }
    room -= size;
    requests.at(-1)!.push(change);
  }
  if (requests.length === 1) return [batch];
  return requests.map((changes) => ({ id: newId(), changes }));
}
