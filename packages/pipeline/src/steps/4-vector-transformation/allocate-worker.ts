/** Runs in a worker thread. */
export { allocateBlock as default } from "./allocate-by-spot.ts";
