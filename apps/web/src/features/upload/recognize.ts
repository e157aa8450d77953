import { RESOLUTIONS, type Resolution } from "@stipple/contract/platforms/index";
import { acceptedExtension, type UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { refusals } from "../../texts/upload.ts";
import { oneSample } from "./one-sample.ts";

/**
 * Result for the chosen files: one file per slot, refusals with their reasons, the number of unrelated files, and the
 * folders of other samples that were left out.
 */
export interface Assignment<F> {
  matched: { slot: UploadSlot; file: F }[];
  refused: { path: string; reason: string }[];
  ignored: number;
  otherSamples: string[];
}

interface Named {
  path: string;
}

/** Folders of a Space Ranger output that hold matrices other than the one to analyze. */
const OTHER_FOLDERS =
  /(^|\/)(raw_feature_bc_matrix|raw_probe_bc_matrix|segmented_outputs|cell_segmentation)\//;
/** Folders above a Space Ranger output: users' own, with arbitrary names. */
const ABOVE_OUTPUT = /^(.*\/)?outs\//;
const OTHER_FILES =
  /^(raw_.*\.h5|molecule_info\.h5|.*probe.*\.h5|cytassist_image\.tiff?|aligned_.*|detected_tissue_.*|spatial_enrichment\.csv|barcode_fluorescence.*|metrics_summary.*|barcode_mappings\.parquet)$/;
const BIN_FOLDER = /(?:^|\/)square_(\d+)um\//;

function baseName(path: string): string {
  return (path.split("/").at(-1) ?? path).toLowerCase();
}

/**
 * Assigns chosen files to a project's slots by their names. From a whole Space Ranger folder it takes the filtered
 * matrix, never the raw one; of HD bins, only those of `binUm` (the smallest if unknown); of several samples, the files
 * of one.
 */
export function assignFiles<F extends Named>(
  files: readonly F[],
  slots: readonly UploadSlot[],
  binUm: Resolution | undefined = undefined,
): Assignment<F> {
  const recognized: { path: string; slot: UploadSlot; file: F }[] = [];
  const refused: Assignment<F>["refused"] = [];
  let ignored = 0;
  for (const file of files) {
    const name = baseName(file.path);
    const byFolder = slots.find((candidate) =>
      candidate.recognizeInFolder?.test(file.path.toLowerCase()),
    );
    const slot = byFolder ?? slotByName(slots, name);
    if (!byFolder && !isWanted(file.path, binUm)) {
      // Report a file chosen individually; in a folder, it is one of many that were not chosen deliberately.
      if (file.path.includes("/")) ignored += 1;
      else refused.push({ path: file.path, reason: refusals.otherMatrix });
      continue;
    }
    if (!slot) {
      const reason = refusalReason(name);
      if (reason && !(file.path.includes("/") && reason === refusals.unknown))
        refused.push({ path: file.path, reason });
      else ignored += 1;
      continue;
    }
    recognized.push({ path: file.path, slot, file });
  }
  const { files: wanted, others } = oneSample(recognized);
  const best = new Map<UploadSlot, { file: F; score: number }>();
  for (const { path, slot, file } of wanted) {
    const score = preference(path, binUm);
    const rival = best.get(slot);
    if (!rival || score > rival.score) {
      if (rival) ignored += 1;
      best.set(slot, { file, score });
    } else if (score === rival.score && (!path.includes("/") || slot.group === "he_image"))
      refused.push({ path, reason: refusals.secondFile(slot.label) });
    else ignored += 1;
  }
  const matched = slots.flatMap((slot) => {
    const found = best.get(slot);
    return found ? [{ slot, file: found.file }] : [];
  });
  return { matched, refused, ignored, otherSamples: others };
}

/** The slot that a name (lower case) belongs to. If several match, the most specific, which is the last. */
function slotByName(slots: readonly UploadSlot[], name: string): UploadSlot | undefined {
  return slots.findLast((slot) => slot.recognize.test(name));
}

function isWanted(path: string, binUm: Resolution | undefined): boolean {
  const lower = path.toLowerCase();
  if (OTHER_FOLDERS.test(lower.replace(ABOVE_OUTPUT, "")) || OTHER_FILES.test(baseName(lower)))
    return false;
  const bin = BIN_FOLDER.exec(lower)?.[1];
  return bin === undefined || Number(bin) === Number(binUm ?? RESOLUTIONS[0]);
}

/** Which of several files for the same slot is the right one: the higher, the better. */
function preference(path: string, binUm: Resolution | undefined): number {
  const lower = path.toLowerCase();
  let score = 0;
  if (lower.includes("filtered")) score += 4;
  if (binUm !== undefined && BIN_FOLDER.test(lower)) score += 2;
  if (baseName(lower).endsWith(".parquet")) score += 1;
  return score;
}

/** Why no slot takes a file of this name (lower case); undefined for a file that is silently left out. */
function refusalReason(name: string): string | undefined {
  if (name.startsWith(".") || /\.(html|txt|cloupe|bam|bai|pdf|md|svg|jpe?g\.aux)$/.test(name))
    return undefined;
  if (name.endsWith(".tiff")) return refusals.tiff;
  if (/\.(svs|ndpi|mrxs|scn|czi|vsi|bif|qptiff|lif|nd2)$/.test(name)) return refusals.slideFormat;
  if (/^(.*_)?(barcodes|features|genes)\.tsv$/.test(name) || /matrix\.mtx$/.test(name))
    return refusals.notCompressed;
  if (/\.(zip|tar|tgz|tar\.gz|7z|rar)$/.test(name)) return refusals.archive;
  if (/tissue_positions.*\.(csv|parquet)\.gz$/.test(name)) return refusals.compressedPositions;
  if (/(hires|lowres).*\.(jpe?g|webp|bmp|gif)$/.test(name)) return refusals.notPng;
  return refusals.unknown;
}

/** Why `slot` does not take a file that was chosen for it alone, or undefined when it does. */
export function slotRefusal(
  slots: readonly UploadSlot[],
  slot: UploadSlot,
  fileName: string,
): string | undefined {
  const name = fileName.toLowerCase();
  if (acceptedExtension(slot, name) === undefined) {
    const reason = refusalReason(name);
    const expected = refusals.expects(slot.label, slot.extensions);
    return reason && reason !== refusals.unknown ? `${expected} ${reason}` : expected;
  }
  const other = slotByName(slots, name);
  if (other && other !== slot && other.group === slot.group)
    return refusals.belongsElsewhere(other.label);
  return undefined;
}

/** Whether a histology image is so small that it is probably the preview. */
export function isSmallImage(slot: UploadSlot, file: { size: number }): boolean {
  return file.size < (slot.smallBelowBytes ?? 0);
}

/**
 * The `accept` attribute of a slot's own file input. Some pickers know only the last ending of ".tsv.gz", so both are
 * requested.
 */
export function acceptAttribute(slot: UploadSlot): string {
  const endings = slot.extensions.flatMap((extension) => [
    extension,
    `.${extension.split(".").at(-1)}`,
  ]);
  return [...new Set(endings)].join(",");
}
