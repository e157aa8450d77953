import { InputError } from "@stipple/pipeline/errors";
import { expect, it } from "vitest";
import { DamagedFileError } from "../../storage/damage-errors.ts";
import { notProvided, notStored, outcomeOf } from "./step-faults.ts";

const full = Object.assign(new Error("write"), { code: "ENOSPC" });

it.each([
  ["read", notProvided(3, full)],
  ["stored", notStored(3, full)],
  ["written", outcomeOf(3, full)],
  [
    "written, as the command line says it",
    outcomeOf(3, new InputError("The disk with /data/scratch is full.", { cause: full })),
  ],
])("a disk that is full when files are %s is told without its folder", (_, outcome) => {
  expect(outcome).toEqual({
    kind: "failed",
    fault: "server",
    cause: "disk_full",
    message:
      "The server's disk is full: resume from step 3 once there is free space; finished steps are kept.",
  });
});

it("an input that cannot be used, and a damaged file, speak for themselves", () => {
  const message = "The image is damaged: upload it again.";
  expect(outcomeOf(3, new InputError(message))).toMatchObject({ fault: "data", message });
  expect(notStored(3, new DamagedFileError(message))).toMatchObject({ fault: "server", message });
});
