import { constants, setPriority } from "node:os";
import { openStorage, type StorageSettings } from "../storage/open-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { faultOfFile } from "./check-file.ts";
import type { CheckOrder, CheckOutcome } from "./file-checker.ts";

/** Checks one file after the other until its parent disconnects. */
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.once("disconnect", () => process.exit(0));
process.on("message", (message: { storage: StorageSettings; order: CheckOrder }) => {
  check(message.storage, message.order).then(
    (fault) => answer({ fault }),
    (error: unknown) => answer({ failure: String((error as Error).stack ?? error) }),
  );
});

let storage: Promise<Storage> | undefined;

async function check(settings: StorageSettings, order: CheckOrder): Promise<string | null> {
  storage ??= openStorage(settings);
  if ("keep" in order) {
    const { keepUploaded } = await import("../references/keep-uploaded.ts");
    return keepUploaded(await storage, order);
  }
  if ("key" in order) return faultOfFile(await storage, order.key, order);
  // The readers take tens of megabytes, so they are not loaded for single files.
  const { faultOfSample } = await import("./check-sample.ts");
  return faultOfSample(await storage, order);
}

function answer(outcome: CheckOutcome): void {
  process.send?.(outcome);
}
