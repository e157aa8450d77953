/** Runs in a worker thread. */
export { allocateBinBlock as default } from "./allocate-bins.ts";
