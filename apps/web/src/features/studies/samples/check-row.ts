import {
  missingSlots,
  PLATFORM_IDS,
  platformById,
  type PlatformId,
  type Resolution,
} from "@stipple/contract/platforms/index";
import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import {
  sampleNameFault,
  samplePlatformFault,
  sampleTwice,
  type SheetSetting,
} from "@stipple/contract/sample-sheet";
import type { Study } from "@stipple/contract/routes/studies";
import type { ChoiceSchema } from "../../../project/choices/choice-schema.ts";
import { assignFiles } from "../../../project/uploads/assign-files.ts";
import { typeFault } from "../../../project/uploads/slot-files.ts";
import { SETTING_KEYS, settingOf, type Row, type SettingKey, type Shared } from "./intake.ts";
import { valueFault } from "./setting-options.ts";
import { FAULTS, SAMPLES_TEXTS } from "./texts.ts";

/** What a row's files turn out to be. */
export interface CheckedFiles {
  found: readonly { slot: UploadSlot; file: File }[];
  /** Why the sample cannot be analyzed with them. */
  fault: string | null;
  /** What is wrong with files that are not taken; the sample can be analyzed without them. */
  notes: readonly string[];
  leftOut: number;
}

/** Slots that the sheet's files outside the folder fill. */
const SLOT_OF = { image: "he_image", fineBins: "fine_bins" } as const;

/** Tells a row's files apart. `filled`: slots whose files the server has already. */
export async function checkFiles(
  { files, extra }: Pick<Row, "files" | "extra">,
  options: { platform: PlatformId; resolution: Resolution | undefined },
  filled: readonly string[],
): Promise<CheckedFiles> {
  const { label, slots } = platformById(options.platform);
  const { matched, refused, skippedCount } = await assignFiles(files, options);
  const notes = [...refused];
  const bySlot = new Map(matched.map((one) => [one.slot.id, one]));
  for (const [role, { file }] of Object.entries(extra)) {
    const id = role in SLOT_OF ? SLOT_OF[role as keyof typeof SLOT_OF] : role;
    const slot = slots.find((one) => one.id === id);
    const wrong = slot ? typeFault(slot, file) : FAULTS.notOffered(role, label);
    if (wrong !== undefined) return { found: [], fault: wrong, notes: [], leftOut: 0 };
    if (slot) bySlot.set(id, { slot, file });
  }
  const missing = missingSlots(options.platform, new Set([...bySlot.keys(), ...filled]));
  const found = slots.flatMap(({ id }) => bySlot.get(id) ?? []);
  const fault =
    missing.length > 0 ? FAULTS.missing(missing.map((slot) => slot.label).join(", ")) : null;
  return { found, fault, notes, leftOut: skippedCount };
}

/** The study's sample of this name that still lacks results, whose project the row continues. */
export function continuedBy(
  name: string,
  study: Study | undefined,
): Study["samples"][number] | undefined {
  return study?.samples.find(
    (one) =>
      one.name === name &&
      one.project_id !== null &&
      !one.waits &&
      (one.status === "created" || one.status === "failed" || one.status === "cancelled"),
  );
}

/** What a row is judged by. */
export interface Around {
  rows: readonly Row[];
  shared: Shared;
  study: Study | undefined;
  /** What settings can be, once the server has said so. */
  schema: ChoiceSchema | undefined;
}

/** What is wrong with a row before its files are looked at: a sentence. */
export function rowFault(row: Row, { rows, shared, study, schema }: Around): string | null {
  const { name } = row;
  const named = sampleNameFault(name);
  if (named !== null) return named;
  if (rows.find((one) => one.name === name) !== row) return sentence(sampleTwice(name));
  // One whose project was deleted makes room.
  const isThere = study?.samples.some((one) => one.name === name && one.project_id !== null);
  const isContinued = continuedBy(name, study) !== undefined;
  if (isThere && !isContinued) return FAULTS.inStudy(name);
  if (row.fault !== null) return row.fault;
  return isContinued ? null : settingsFault(row, shared, schema);
}

function settingsFault(row: Row, shared: Shared, schema: ChoiceSchema | undefined): string | null {
  const value = (key: SettingKey): string => settingOf(row, shared, key);
  for (const key of ["platform", "staining", "analysisType"] as const) {
    if (value(key) === "") return FAULTS.choose(SAMPLES_TEXTS.settings[key].toLowerCase());
  }
  const platform = value("platform");
  if (!isPlatform(platform)) return samplePlatformFault(row.name, { platform });
  const { resolutions } = platformById(platform);
  if (resolutions.length > 0 && !resolutions.includes(value("resolution"))) {
    return FAULTS.choose(SAMPLES_TEXTS.settings.resolution.toLowerCase());
  }
  const chosen = SETTING_KEYS.map((key) => [key, value(key)] as const);
  for (const [key, given] of Object.entries({ ...row.own, ...Object.fromEntries(chosen) })) {
    const isMeant = given !== "" && (key !== "resolution" || resolutions.length > 0);
    const fault = isMeant ? valueFault(key as SheetSetting, given, schema) : null;
    if (fault !== null) return fault;
  }
  return null;
}

export function isPlatform(id: string): id is PlatformId {
  return PLATFORM_IDS.some((one) => one === id);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
