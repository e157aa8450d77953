import { constants, setPriority } from "node:os";
import { simulateTissue } from "@stipple/tissue";

/** Writes the sample dataset; its own process, because it computes for seconds. Arguments: folder, seed. */
const [out, seed] = process.argv.slice(2);
if (!out || !seed) throw new Error("simulate-process.ts <folder> <seed>");
// People who use the product now come before one who may want the sample.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
// A millimeter: the whole way through the eight steps stays well under a minute and a half on two cores.
await simulateTissue({ out, seed: Number(seed), sizeUm: 1000 });
