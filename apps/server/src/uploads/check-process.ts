import { isOwnFile } from "@stipple/contract/platforms/own-files";
import { InputError } from "@stipple/pipeline/errors";
import { lowerPriority } from "../operations/lower-priority.ts";
import { openStorage, type StorageSettings } from "../storage/open-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { catchInputError } from "./catch-input-error.ts";
import { coordinatePairs } from "./coordinate-pairs.ts";
import { faultOfCopy } from "./check-copy.ts";
import { faultOfFile } from "./check-file.ts";
import type { CheckOrder, CheckOutcome, LabelOrder, LabelOutcome } from "./file-checker.ts";

/** Checks one file after the other until its parent disconnects. */
lowerPriority();
process.once("disconnect", () => process.exit(0));
process.on("message", (message: { storage: StorageSettings; order: CheckOrder }) => {
  check(message.storage, message.order).then(
    (found) => answer({ found }),
    (error: unknown) => answer({ failure: String((error as Error).stack ?? error) }),
  );
});

let storage: Promise<Storage> | undefined;

async function check(settings: StorageSettings, order: CheckOrder): Promise<unknown> {
  storage ??= openStorage(settings);
  if ("keep" in order) {
    const { keepUploaded } = await import("../references/keep-uploaded.ts");
    return keepUploaded(await storage, order);
  }
  if ("labels" in order) return regionsOfLabels(order);
  if ("drawing" in order) return faultOfDrawing(order.drawing);
  if ("key" in order) {
    const { key, slot } = order;
    const fault = await faultOfFile(await storage, key, order);
    if (fault !== null) return fault;
    if (slot === "scale") {
      const { readScalefactors } = await import("@stipple/pipeline/scalefactors");
      return faultOfCopy(await storage, order, readScalefactors);
    }
    if (!isOwnFile(slot)) return null;
    const { checkOwnFile } = await import("@stipple/pipeline/samples");
    return faultOfCopy(await storage, order, (path) => checkOwnFile(slot, path));
  }
  if ("edits" in order) {
    const { editNuclei } = await import("./edit-nuclei.ts");
    return editNuclei(order);
  }
  // The readers take tens of megabytes, so they are not loaded for single files.
  if (order.look === "detection") {
    const { detectionOfSample } = await import("./detection-of-sample.ts");
    return detectionOfSample(await storage, order);
  }
  const { faultOfSample, lookAtSample, piecesOfSample, registrationOfSample } =
    await import("./check-sample.ts");
  if (order.look === "registration") return registrationOfSample(await storage, order);
  if (order.look === "pieces") return piecesOfSample(await storage, order);
  return order.look ? lookAtSample(await storage, order) : faultOfSample(await storage, order);
}

async function regionsOfLabels({ labels, image }: LabelOrder): Promise<LabelOutcome> {
  const { readLabelRegions } = await import("@stipple/pipeline/samples");
  const reading = readLabelRegions(labels, image).then((found) => ({
    regions: found.map(({ name, polygons }) => ({ name, polygons: coordinatePairs(polygons) })),
  }));
  return catchInputError<LabelOutcome>(reading, (fault) => ({ fault }));
}

async function faultOfDrawing(drawing: string): Promise<string | null> {
  const { drawnRegions } = await import("@stipple/formats/geojson/drawn-regions");
  const looking = async (): Promise<null> => {
    drawnRegions(drawing, null, (what) => {
      throw new InputError(`The drawing ${what}`);
    });
    return null;
  };
  return catchInputError<string | null>(looking(), (sentence) => sentence);
}

function answer(outcome: CheckOutcome): void {
  process.send?.(outcome);
}
