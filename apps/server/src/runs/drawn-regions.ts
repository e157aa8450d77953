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
const slotOf = (wanted: string) => OWN_FILES.find(({ id }) => id === wanted)!;

interface Parts {
  annotations: Annotations;
  uploads: Uploads;
  scratch: Scratch;
}

/**
 * Makes the regions drawn in the view those of the project's next run, in place of uploaded files: it leaves out the ones
 * marked as excluded, and compares the others. Where there are none, only a file that was made this way is removed.
 * Returns their numbers. Throws invalid_request for a border that crosses itself.
 */
export async function useDrawnRegions(
  parts: Parts,
  project: OwnedProject,
): Promise<{ compared: number; leftOut: number }> {
  const { items } = await parts.annotations.read(project.id);
  const values = items.flatMap((item) => (item.kind === "region" ? [item.value] : []));
  const leftOut = values.filter(({ excluded }) => excluded).map(drawn);
  const compared = values.filter(({ excluded }) => !excluded).map(drawn);
  // Both are checked before either changes anything.
  const texts = { excluded: checkedText(leftOut), regions: checkedText(compared) };
  await fill(parts, project, "excluded", texts.excluded);
  await fill(parts, project, "regions", texts.regions);
  return { compared: compared.length, leftOut: leftOut.length };
}

/** The regions as GeoJSON; null if there are none. Throws invalid_request for one that cannot be used. */
function checkedText(regions: readonly DrawnRegion[]): string | null {
  if (regions.length === 0) return null;
  const text = regionsGeoJson(regions);
  drawnRegions(text, null, (what) => {
    throw new ApiError("invalid_request", `The drawing ${what}`);
  });
  return text;
}

async function fill(
  { uploads, scratch }: Parts,
  project: OwnedProject,
  part: "excluded" | "regions",
  text: string | null,
): Promise<void> {
  if (text === null) {
    const { [part]: now } = await uploads.complete(project.id);
    if (now === FILE_NAME) await uploads.remove(project, slotOf(part));
    return;
  }
  const path = join(scratch.folder, `${randomUUID()}.geojson`);
  try {
    await writeFile(path, text);
    await uploads.put(project.id, slotOf(part), path, FILE_NAME);
  } finally {
    await rm(path, { force: true });
  }
}

function drawn({ name, class: kind, color, polygons }: AnnotationValue<"region">): DrawnRegion {
  return {
    ...{ name, kind, color },
    polygons: polygons.map((rings) => rings.map((ring) => Float64Array.from(ring.flat()))),
  };
}
