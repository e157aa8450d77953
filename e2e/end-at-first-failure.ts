import { afterEach, beforeEach } from "vitest";

/**
 * The steps of a journey share a page: after one has failed, each of the others would wait until its time is over, and
 * the file would not end for half an hour.
 */
let failed: string | undefined;

beforeEach(({ skip, task }) => {
  if (failed !== undefined && !task.concurrent) skip(`after the failure of “${failed}”`);
});

afterEach(({ task }) => {
  if (task.result?.state === "fail") failed ??= task.name;
});
