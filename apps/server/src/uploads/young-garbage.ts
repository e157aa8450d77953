import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options: { type: "minor" }) => void;

/**
 * Frees what has just become garbage. Every 64 KiB that a socket reads is memory outside of the heap; V8 meets the pressure
 * of 64 MiB of it with a full collection, which looks at the whole heap which was nearly half of an upload's time. Young
 * garbage alone is gone in about a millisecond.
 */
export function freeYoungGarbage(): void {
  collect({ type: "minor" });
}
