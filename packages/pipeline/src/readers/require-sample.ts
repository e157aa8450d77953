import { basename } from "node:path";
import type { PlatformId } from "@stipple/contract";
import { named, type CandidateFile, type Role } from "@stipple/contract/recognition/candidate";
import { isRaw } from "@stipple/contract/recognition/names";
import type { Recognition } from "@stipple/contract/recognition/recognition";
import { InputError } from "../errors.ts";

/** Files that change the results: without them, the run would go on with less than was meant. */
const WANTED: readonly Role[] = ["scale", "reference", "fine_bins"];

/**
 * Throws {@link InputError} for the first thing that keeps recognized files from being a sample: what cannot be decided,
 * then what is missing, and why a file that would fill the gap cannot be used.
 */
export function requireSample(
  recognition: Recognition,
  options: { platform: PlatformId; subject: string; hasImage: boolean },
): void {
  const { faults } = recognition;
  const { platform, subject, hasImage } = options;
  const general = faults.find(({ role }) => role === undefined);
  if (general) throw new InputError(general.sentence);
  if (platform === "st") requireTables(recognition, subject);
  else requireSpaceRanger(recognition, subject);
  const [fault] = faults;
  if (fault) throw new InputError(fault.sentence);
  const wanted = [...WANTED, ...(hasImage ? [] : (["he_image"] as const))];
  throwIfUnreadable(recognition, wanted, { withArchives: false });
}

function requireSpaceRanger(recognition: Recognition, subject: string): void {
  const { files } = recognition;
  if (!files.positions) {
    throwWhyMissing(
      recognition,
      ["positions"],
      `The spot positions are missing: ${subject} and its spatial folder contain no tissue_positions.csv, tissue_positions_list.csv or tissue_positions.parquet; copy Space Ranger's spatial folder there.`,
    );
  }
  if (files.h5 || (files.matrix && files.barcodes && files.features)) return;
  if (files.matrix) {
    for (const [role, wanted] of [
      ["barcodes", "barcodes.tsv.gz"],
      ["features", "features.tsv.gz"],
    ] as const) {
      if (files[role]) continue;
      const { path } = files.matrix;
      const folder = path.split("/").slice(0, -1).join("/");
      throwWhyMissing(
        recognition,
        [role],
        `${wanted} is missing next to ${basename(path)} in ${folder || subject}: copy all three files of filtered_feature_bc_matrix there.`,
      );
    }
  }
  const other = recognition.leftOut.find(({ role }) => role === "h5" || role === "reference");
  throwWhyMissing(
    recognition,
    ["h5", "matrix", "barcodes", "features"],
    `The counts are missing from ${subject}${other ? ` (${basename(other.file.path)} is not a count matrix of spots)` : ""}: copy filtered_feature_bc_matrix.h5, or the folder filtered_feature_bc_matrix with barcodes.tsv.gz, features.tsv.gz and matrix.mtx.gz, there.`,
  );
}

function requireTables(recognition: Recognition, subject: string): void {
  for (const [role, what, wanted] of [
    [
      "coordinates",
      "The spot coordinates are missing",
      "a table with x, y, pixel_x and pixel_y whose name has spot, coord or selection in it, such as spot_coordinates.tsv",
    ],
    ["counts", "The counts are missing", "a table of spots × genes, such as counts.tsv.gz"],
  ] as const) {
    if (recognition.files[role]) continue;
    throwWhyMissing(recognition, [role], `${what} from ${subject}: copy ${wanted}, there.`);
  }
}

/** Throws the reason why none of these is there, which is `otherwise` if no file tells. */
function throwWhyMissing(
  recognition: Recognition<CandidateFile>,
  roles: readonly Role[],
  otherwise: string,
): never {
  const fault = recognition.faults.find(({ role }) => role && roles.includes(role));
  if (fault) throw new InputError(fault.sentence);
  throwIfUnreadable(recognition, roles, { withArchives: true });
  throw new InputError(otherwise);
}

function throwIfUnreadable(
  { leftOut }: Recognition,
  roles: readonly Role[],
  { withArchives }: { withArchives: boolean },
): void {
  const found = leftOut.filter(({ isUnreadable, matters }) => isUnreadable && matters);
  const own = found
    .filter(({ role }) => role !== undefined && roles.includes(role))
    .toSorted((a, b) => Number(isRaw(named(a.file))) - Number(isRaw(named(b.file))))[0];
  const archive = withArchives ? found.find(({ role }) => role === undefined) : undefined;
  const first = own ?? archive;
  if (first) throw new InputError(first.sentence, { file: basename(first.file.path) });
}
