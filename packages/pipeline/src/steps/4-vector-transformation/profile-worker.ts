import { move } from "piscina";
import { solveProfiles, type ProfileTask } from "./profiles.ts";

/** Fits a block of genes in a worker thread. */
export default function solve(task: ProfileTask): Float32Array {
  // Moved, not copied: piscina hands over the buffer.
  return move(solveProfiles(task)) as unknown as Float32Array;
}
