import { expect, it } from "vitest";
import { DamagedFileError } from "../../storage/damage-errors.ts";
import { notProvided, notStored } from "./storage-faults.ts";

it.each([notProvided, notStored])(
  "%o says what to do about a full disk or a damaged file",
  (of) => {
    const full = Object.assign(new Error("write"), { code: "ENOSPC" });
    expect(of(3, full)).toMatchObject({
      cause: "disk_full",
      message: expect.stringContaining("disk is full: resume from step 3 once there is free space"),
    });
    const message = "The image is damaged on the server: upload it again.";
    expect(of(3, new DamagedFileError(message))).toMatchObject({ cause: "storage", message });
    expect(of(3, new Error("unknown"))).toMatchObject({
      cause: "storage",
      message: expect.stringMatching(/could not be .*\. Please resume from this step\.$/),
    });
  },
);
