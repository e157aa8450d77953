import { isFiledKind, type AnnotationOf } from "@stipple/contract";
import { annotationFileText, namedByNumber } from "@stipple/contract/annotation-file";
import { DRAWN_REGIONS, OWN_FILES } from "@stipple/contract/platforms/own-files";
import type { DrawnRegion } from "@stipple/formats/geojson/drawn-region";
import { regionsGeoJson } from "@stipple/formats/geojson/write-regions";
import type { OwnedProject } from "../access/opened-results.ts";
import { readAnnotations } from "../annotations/annotations.ts";
import { flatPolygons } from "../annotations/named-regions.ts";
import { ApiError } from "../http/api-error.ts";
import type { RunServices } from "./services.ts";

/** The names by which files made of annotations are known from those that were uploaded. */
const FILE_NAMES = {
  excluded: DRAWN_REGIONS,
  regions: DRAWN_REGIONS,
  annotations: "annotations made in the view.json",
};
const slotOf = (wanted: string) => OWN_FILES.find(({ id }) => id === wanted)!;

type Parts = Pick<RunServices, "database" | "uploads">;

/** Numbers of annotations. */
export interface UsedAnnotations {
  compared: number;
  leftOut: number;
  /** Names, groups, clusterings, gene lists, and notes. */
  others: number;
}

/**
 * Makes the project's annotations those of its next run, in place of uploaded files: it leaves out the regions marked as
 * excluded, compares the others, and puts everything else into the report and the files. Where there are none, only a
 * file that was made this way is removed. Returns their numbers. Throws invalid_request for a border that crosses itself.
 */
export async function useProjectAnnotations(
  parts: Parts,
  project: OwnedProject,
): Promise<UsedAnnotations> {
  // All by the same numbers, whichever file they are in.
  const items = namedByNumber((await readAnnotations(parts.database.db, project.id)).items);
  const regions = items.filter((item) => item.kind === "region");
  const leftOut = regions.filter(({ value }) => value.excluded).map(drawn);
  const compared = regions
    .filter(({ value }) => !value.excluded)
    // Not where spots are left out: the steps that read that file would run again for another author or time.
    .map((item) => ({ ...drawn(item), signed: { author: item.author, at: item.at } }));
  // Both are checked before anything changes.
  const texts = { excluded: geoJsonOf(leftOut), regions: geoJsonOf(compared) };
  for (const text of Object.values(texts)) {
    const fault = text === null ? null : await parts.uploads.faultOfDrawing(text);
    if (fault !== null) throw new ApiError("invalid_request", fault);
  }
  await fill(parts, project, "excluded", texts.excluded);
  await fill(parts, project, "regions", texts.regions);
  await fill(parts, project, "annotations", annotationFileText(items));
  return {
    compared: compared.length,
    leftOut: leftOut.length,
    others: items.filter(({ kind }) => isFiledKind(kind)).length,
  };
}

function geoJsonOf(regions: readonly DrawnRegion[]): string | null {
  return regions.length === 0 ? null : regionsGeoJson(regions);
}

async function fill(
  { uploads }: Parts,
  project: OwnedProject,
  part: keyof typeof FILE_NAMES,
  text: string | null,
): Promise<void> {
  if (text === null) {
    const { [part]: now } = await uploads.complete(project.id);
    if (now === FILE_NAMES[part]) await uploads.remove(project, slotOf(part));
    return;
  }
  await uploads.putText(project.id, slotOf(part), text, FILE_NAMES[part]);
}

function drawn({ value }: AnnotationOf<"region">): DrawnRegion {
  const { name, class: kind, color } = value;
  return { name, kind, color, polygons: flatPolygons(value) };
}
