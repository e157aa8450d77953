import { LARGEST_ANNOTATION_BYTES } from "@stipple/contract/annotation-limits";
import { CHUNK_BYTES } from "@stipple/contract/platforms/upload-slot";
import { readLabelImage } from "@stipple/contract/routes/uploads";
import type { DrawnImage, DrawnRegion } from "@stipple/formats/geojson/drawn-region";
import { LARGEST_REGIONS } from "@stipple/formats/limits";
import { api, errorText } from "../../../../app/api.ts";
import type { OpenViewer } from "../../state/viewer-context.tsx";
import { oneLine, uniqueName } from "../../state/free-names.ts";
import { nextGroupColor } from "../../selection/selection-actions.ts";
import { cornersOf, type RegionValue } from "../region-shape.ts";
import { regionTexts } from "../texts.ts";
import type { ImportAnswer, ImportRequest } from "./import.worker.ts";

const texts = regionTexts.files;

/** Label images are sent to the server in one piece. */
const LARGEST_LABELS = CHUNK_BYTES;

/** The regions in a GeoJSON file or a label image, or the sentence that says what is wrong with it. */
export async function regionsInFile(
  file: File,
  { projectId, manifest: { widthPx: width, heightPx: height } }: OpenViewer,
  others: readonly RegionValue[],
  /** Whether to leave out regions with names that others have. */
  onlyNew = false,
): Promise<RegionValue[] | string> {
  const isLabels = /\.tiff?$/i.test(file.name);
  if (file.size > (isLabels ? LARGEST_LABELS : LARGEST_REGIONS)) {
    return isLabels ? texts.labelsTooLarge(file.name) : texts.tooLarge(file.name);
  }
  const image = { width, height };
  const answer = isLabels
    ? await readLabels(file, projectId, image)
    : await readDrawn({ file, image });
  if (!("found" in answer)) return answer.problem ?? texts.unreadable(file.name);
  const known = new Set(onlyNew ? others.map(({ name }) => name) : []);
  const found = answer.found.filter(({ name }) => !known.has(oneLine(name)));
  return regionValues(found, file.name, others);
}

/** Reads a file off the page's thread. */
function readDrawn(request: ImportRequest): Promise<ImportAnswer> {
  const worker = new Worker(new URL("./import.worker.ts", import.meta.url), { type: "module" });
  return new Promise<ImportAnswer>((done) => {
    worker.addEventListener("message", ({ data }: MessageEvent<ImportAnswer>) => done(data));
    worker.addEventListener("error", () => done({ problem: null }));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}

async function readLabels(
  file: File,
  projectId: string,
  { width, height }: DrawnImage,
): Promise<ImportAnswer> {
  const body = new FormData();
  body.append("file", file);
  body.append("chunk", "0");
  body.append("chunks", "1");
  try {
    const { regions } = await api(readLabelImage, {
      params: { id: projectId },
      query: { width: String(width), height: String(height) },
      body,
    });
    const flat = (ring: readonly (readonly [number, number])[]) => Float64Array.from(ring.flat());
    return {
      found: regions.map(({ name, polygons }) => ({
        ...{ name, kind: null, color: null },
        polygons: polygons.map((rings) => rings.map(flat)),
      })),
    };
  } catch (error) {
    return { problem: errorText(error, texts.noAnswer) };
  }
}

function regionValues(
  found: readonly DrawnRegion[],
  file: string,
  others: readonly RegionValue[],
): RegionValue[] | string {
  const values: RegionValue[] = [];
  for (const region of found) {
    const before = [...others, ...values];
    const label = {
      name: uniqueName(
        oneLine(region.name) || regionTexts.defaultName(1),
        new Set(before.map(({ name }) => name)),
      ),
      class: region.kind === null ? null : oneLine(region.kind),
      color: region.color ?? nextGroupColor(before),
    };
    const value: RegionValue = {
      ...label,
      polygons: region.polygons.map((rings) => rings.map(cornersOf)),
      excluded: false,
      ...(region.imported && {
        imported: { ...label, objects: [...region.imported.objects] },
      }),
    };
    if (mayBeTooLarge(value) && JSON.stringify(value).length > LARGEST_ANNOTATION_BYTES) {
      return texts.regionTooLarge(file, region.name);
    }
    values.push(value);
  }
  return values;
}

/** Few are, and writing them to see takes long: a corner takes at most 60 letters, and an object rarely more than 1,000. */
function mayBeTooLarge({ polygons, imported }: RegionValue): boolean {
  const corners = polygons.flat().reduce((sum, { length }) => sum + length, 0);
  return 60 * corners + 1000 * (imported?.objects.length ?? 0) > LARGEST_ANNOTATION_BYTES / 2;
}
