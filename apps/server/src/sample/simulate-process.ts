import { simulateTissue } from "@stipple/tissue";
import { lowerPriority } from "../operations/lower-priority.ts";

/** Writes the sample dataset; its own process, because it computes for seconds. Arguments: folder, seed. */
const [out, seed] = process.argv.slice(2);
if (!out || !seed) throw new Error("simulate-process.ts <folder> <seed>");
// Current users have priority over someone who might want the sample.
lowerPriority();
// One millimeter: all eight steps take well under a minute and a half on two cores.
await simulateTissue({ out, seed: Number(seed), sizeUm: 1000 });
