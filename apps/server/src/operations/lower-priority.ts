import { constants, setPriority } from "node:os";

/** Lets other processes go first. Where the system forbids that, as a hardened unit does, all are equal. */
export function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The work is done all the same.
  }
}
