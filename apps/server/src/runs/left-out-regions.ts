import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AnnotationValue } from "@stipple/contract";
import { OWN_FILES } from "@stipple/contract/platforms/own-files";
import type { DrawnRegion } from "@stipple/formats/geojson/drawn-region";
import { drawnRegions } from "@stipple/formats/geojson/drawn-regions";
import { regionsGeoJson } from "@stipple/formats/geojson/write-regions";
import type { OwnedProject } from "../access/opened-results.ts";
import type { Annotations } from "../annotations/annotations.ts";
import { ApiError } from "../http/api-error.ts";
import type { Scratch } from "../outputs/scratch.ts";
import type { Uploads } from "../uploads/uploads.ts";

/** The name by which a file made of drawn regions is known from one that was uploaded. */
const FILE_NAME = "regions marked in the view.geojson";
const EXCLUDED = OWN_FILES.find(({ id }) => id === "excluded")!;

interface Parts {
  annotations: Annotations;
  uploads: Uploads;
  scratch: Scratch;
}

/**
 * Makes the regions that are marked as excluded the ones that the project's next run leaves out, in place of an uploaded
 * file; if none is marked, a file that was made this way is removed. Returns their number. Throws invalid_request for a
 * border that crosses itself.
 */
export async function leaveOutMarked(
  { annotations, uploads, scratch }: Parts,
  project: OwnedProject,
): Promise<number> {
  const { items } = await annotations.read(project.id);
  const marked = items.flatMap((item) =>
    item.kind === "region" && item.value.excluded ? [drawn(item.value)] : [],
  );
  if (marked.length === 0) {
    const { excluded } = await uploads.complete(project.id);
    if (excluded === FILE_NAME) await uploads.remove(project, EXCLUDED);
    return 0;
  }
  const text = regionsGeoJson(marked);
  drawnRegions(text, null, (what) => {
    throw new ApiError("invalid_request", `The drawing ${what}`);
  });
  const path = join(scratch.folder, `${randomUUID()}.geojson`);
  try {
    await writeFile(path, text);
    await uploads.put(project.id, EXCLUDED, path, FILE_NAME);
  } finally {
    await rm(path, { force: true });
  }
  return marked.length;
}

function drawn({ name, class: kind, color, polygons }: AnnotationValue<"region">): DrawnRegion {
  return {
    ...{ name, kind, color },
    polygons: polygons.map((rings) => rings.map((ring) => Float64Array.from(ring.flat()))),
  };
}
