import {
  LARGEST_ANNOTATION_BYTES,
  LONGEST_ANNOTATION_NAME,
} from "@stipple/contract/annotation-limits";
import { drawnRegions } from "@stipple/formats/geojson/drawn-regions";
import { LARGEST_REGIONS } from "@stipple/formats/limits";
import type { DrawnImage } from "@stipple/formats/geojson/drawn-region";
import { nextColor } from "../change-regions.ts";
import type { RegionValue } from "../region-shape.ts";
import { regionTexts } from "../texts.ts";

const texts = regionTexts.files;

/** What is wrong with a file, in a sentence. */
class RegionFileError extends Error {}

/** The regions in a GeoJSON file, or the sentence that says what is wrong with it. Never rejects. */
export async function regionsInFile(
  file: File,
  image: DrawnImage,
  others: readonly RegionValue[],
): Promise<RegionValue[] | string> {
  if (file.size > LARGEST_REGIONS) return texts.tooLarge(file.name);
  try {
    return regionsInText(await file.text(), file.name, image, others);
  } catch (error) {
    return error instanceof RegionFileError ? error.message : texts.unreadable(file.name);
  }
}

function regionsInText(
  text: string,
  file: string,
  image: DrawnImage,
  others: readonly RegionValue[],
): RegionValue[] {
  const fail = (what: string): never => {
    throw new RegionFileError(`${file} ${what}`);
  };
  const values: RegionValue[] = [];
  for (const region of drawnRegions(text, image, fail)) {
    const before = [...others, ...values];
    const value: RegionValue = {
      name: freeName(oneLine(region.name), new Set(before.map(({ name }) => name))),
      class: region.kind === null ? null : oneLine(region.kind),
      color: region.color ?? nextColor(before),
      polygons: region.polygons.map((rings) => rings.map(pairs)),
      excluded: false,
    };
    if (JSON.stringify(value).length > LARGEST_ANNOTATION_BYTES) {
      throw new RegionFileError(texts.regionTooLarge(file, region.name));
    }
    values.push(value);
  }
  return values;
}

/** A name without line ends and other characters that names may not have. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .trim()
    .slice(0, LONGEST_ANNOTATION_NAME);
}

/** The name, or with a number behind it if it is taken. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  const given = name || regionTexts.defaultName(1);
  if (!taken.has(given)) return given;
  for (let number = 2; ; number++) {
    const end = ` (${number})`;
    const numbered = given.slice(0, LONGEST_ANNOTATION_NAME - end.length) + end;
    if (!taken.has(numbered)) return numbered;
  }
}

function pairs(ring: Float64Array): [number, number][] {
  return Array.from({ length: ring.length / 2 }, (_, at) => [ring[2 * at]!, ring[2 * at + 1]!]);
}
