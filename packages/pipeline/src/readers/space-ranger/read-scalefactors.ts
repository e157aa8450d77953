import { basename } from "node:path";
import { LARGEST_JSON } from "@stipple/formats/limits";
import { InputError } from "../../errors.ts";
import { readText } from "../counts/read-text.ts";
import { decimalMarkOf, isMissing, numberOf } from "../tables/cell-values.ts";

const WANTED = {
  what: "the scale factors",
  remedy: "use scalefactors_json.json from Space Ranger's spatial folder",
};

const NAMES = [
  "tissue_hires_scalef",
  "tissue_lowres_scalef",
  "spot_diameter_fullres",
  "fiducial_diameter_fullres",
  "regist_target_img_scalef",
  /** HD only. */
  "bin_size_um",
  /** HD only: µm per full-resolution pixel. */
  "microns_per_pixel",
] as const;

/** scalefactors_json.json; lengths in full-resolution pixels. */
export type Scalefactors = { [Name in (typeof NAMES)[number]]?: number };

/**
 * Reads Space Ranger's scale factors; a missing file gives an empty object, and unknown entries are ignored.
 * Numbers in arrays of one or in quotes, as other programs write them, are accepted and `warn` is told. Throws
 * {@link InputError} that names the invalid entry.
 */
export async function readScalefactors(
  path: string | null,
  warn: (message: string) => void = () => undefined,
): Promise<Scalefactors> {
  if (path === null) return {};
  const file = basename(path);
  const fail = (what: string, remedy: string, cause?: unknown): never => {
    throw new InputError(`${file} ${what}: ${remedy}.`, { cause });
  };
  const text = await readText(path, WANTED, LARGEST_JSON);
  const oddities = new Set<string>();
  let value: unknown;
  try {
    value = parseJson(text, oddities);
  } catch (cause) {
    const isOpen = /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text);
    return fail(
      isOpen ? "is cut off (its last bracket is missing)" : "is not valid JSON",
      isOpen
        ? "copy or download it again"
        : `it must look like {"tissue_hires_scalef": 0.17}; copy it from Space Ranger's spatial folder again`,
      cause,
    );
  }
  if (Array.isArray(value) && value.length === 1) {
    value = value[0];
    oddities.add("an array around everything");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return fail("has no named numbers", WANTED.remedy);
  }
  const found: Scalefactors = {};
  for (const name of NAMES) {
    const entry = (value as Record<string, unknown>)[name];
    if (isAbsent(entry)) continue;
    const number = plainNumber(entry, oddities);
    if (number > 0) found[name] = number;
    else {
      fail(
        `has no positive number for ${name} (but ${JSON.stringify(entry).slice(0, 40)})`,
        "correct this entry, or copy the file from Space Ranger's spatial folder again",
      );
    }
  }
  if (oddities.size > 0) {
    warn(
      `Another program saved ${file} (it has ${[...oddities].join(", ")}). The meaning of its numbers is clear, so they were used.`,
    );
  }
  return found;
}

/** JSON, or what Python prints: with NaN, None, and single quotes. */
function parseJson(text: string, oddities: Set<string>): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const plain = text.replaceAll("'", '"').replace(/\b(NaN|None)\b/g, "null");
    if (plain === text) throw error;
    const value: unknown = JSON.parse(plain);
    oddities.add("values as Python prints them");
    return value;
  }
}

/** R writes a missing value as null, "NA", or an empty array or object. */
function isAbsent(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return isMissing(entry);
  return Object.keys(entry).length === 0 || (Array.isArray(entry) && entry.every(isAbsent));
}

/** The number of an entry, even in an array of one or in quotes; NaN for others. */
function plainNumber(entry: unknown, oddities: Set<string>): number {
  if (Array.isArray(entry) && entry.length === 1) {
    oddities.add("numbers in arrays");
    return plainNumber(entry[0], oddities);
  }
  if (typeof entry === "number") return Number.isFinite(entry) ? entry : Number.NaN;
  if (typeof entry !== "string") return Number.NaN;
  const mark = decimalMarkOf([entry.trim()]);
  const number = mark === null ? Number.NaN : numberOf(entry.trim(), mark);
  if (Number.isFinite(number)) oddities.add("numbers in quotes");
  return number;
}
