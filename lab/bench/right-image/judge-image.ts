import { judgeMatch } from "@stipple/pipeline/internal/steps/1-optical-decomposition/check-picture";
import { comparePicture } from "@stipple/pipeline/internal/optics/compare-picture";
import {
  findMisplacement,
  fitOfShifts,
} from "@stipple/pipeline/internal/steps/1-optical-decomposition/registration-check";
import type { Sample } from "./sample.ts";

export interface Judged {
  /** Objection to the image based on Space Ranger's picture. */
  picture: string | null;
  /** The cause identified from expression alone. */
  cause: string | null;
  explained: number | null;
}

/** Runs the checks on a sample's spots and picture with the image of `shown`, which has the same size. */
export function judgeImage(sample: Sample, shown: Sample): Judged {
  const { width, height } = sample;
  const image = { ...shown, width, height, step: sample.step };
  const view = { data: shown.view, width, height };
  const match = comparePicture(view, { data: sample.picture, width, height }, { x: 1, y: 1 });
  const judged = match && judgeMatch(match);
  return {
    picture: judged === "turned" || judged === "other" ? judged : null,
    cause: findMisplacement({ ...image, file: "image.tif", takenAs: 1 }, sample.spots, 0),
    explained: fitOfShifts(image, sample.spots, 0)?.explained ?? null,
  };
}

/** A sample whose image is mirrored left to right. */
export function mirrored(sample: Sample): Sample {
  const { width } = sample;
  const turned = <T extends Float32Array | Uint8Array>(plane: T): T =>
    plane.map((_, i) => plane[i - (i % width) + width - 1 - (i % width)]) as T;
  return {
    ...sample,
    planes: sample.planes.map(turned),
    view: turned(sample.view),
    tissue: turned(sample.tissue),
  };
}
