import { PLATFORMS, platformById, type PlatformId, type Resolution } from "../platforms/index.ts";
import { isClutter, list, named, type CandidateFile, type Named, type Role } from "./candidate.ts";
import { contentFault, headOf, tableContent } from "./content.ts";
import { binOf, otherPurpose, spaceRangerRole, stRole, TIFF_LIKE, unusableForm } from "./names.ts";
import type { Fault, LeftOut, Recognition } from "./recognition.ts";
import { chooseSpaceRanger } from "./space-ranger.ts";
import { chooseSt } from "./st.ts";

export interface RecognizeOptions {
  platform: PlatformId;
  /** Bin size in µm, if the platform has bins; the first of the platform's by default. */
  resolution?: Resolution | undefined;
  /** What contains the files, as the subject of sentences: the folder's name. */
  subject?: string | undefined;
  /** Roles whose files are given elsewhere: none is looked for. */
  given?: readonly Role[] | undefined;
}

/** Files sorted by what they may be. */
export interface Sorted<F extends CandidateFile> {
  byRole: Map<Role, Named<F>[]>;
  subject: string;
}

/** What a platform's files turn out to be. */
export type Choice<F extends CandidateFile> = Pick<
  Recognition<F>,
  "files" | "channels" | "bins" | "isRaw" | "faults"
> & { rejected: { file: Named<F>; role: Role; why: string }[] };

/**
 * Which file is what: the one place where this is decided, for the command line, the API and the pages. Content and
 * shape come before names; what is left to names are the words at their ends, so that any prefix is accepted. If exactly
 * one file fits a place, it is taken; if several do, they are named. Reads a few kilobytes of each candidate, and more
 * only to see whether two files are the same. Works from names alone where files have no `read`.
 */
export async function recognize<F extends CandidateFile>(
  files: readonly F[],
  options: RecognizeOptions,
): Promise<Recognition<F>> {
  const { platform, subject = "The selection", given = [] } = options;
  const all = files
    .filter((file) => !isClutter(file))
    .map(named)
    .sort(byPlace);
  const { byRole, leftOut, rest } = await sort(all, platform, given);
  if (platform !== "st") await fillByContent(byRole, rest);
  const foreign = platformFault(all, byRole, { platform, subject });
  if (foreign) return { ...NOTHING, faults: [foreign] };
  const choice =
    platform === "st"
      ? await chooseSt({ byRole, subject })
      : await chooseSpaceRanger({ byRole, subject }, options);
  const { rejected, ...found } = choice;
  const filled = found.files;
  const isComplete = Object.keys(filled).length > 0 && isFilled(filled, platform);
  const isOneSample = found.faults.every(({ role }) => role !== undefined);
  const hasCounts = filled.h5 ?? (filled.matrix && filled.barcodes && filled.features);
  for (const { file, role, why } of rejected) {
    const isPlaced = filled[role] ?? (COUNTS.includes(role) && hasCounts);
    const matters = isOneSample && !isPlaced && found.channels.length === 0;
    const sentence = `${file.shown} ${why}.`;
    leftOut.push({ file: file.file, role, sentence, matters, isUnreadable: false });
  }
  return {
    ...found,
    leftOut: leftOut.map((each) => ({
      ...each,
      matters:
        each.matters &&
        !(each.role ? (filled[each.role] ?? given.includes(each.role)) : isComplete),
    })),
    unrelated: rest.map(({ file }) => file),
  };
}

/** Roles of counts, which come in either of two forms. */
const COUNTS: readonly Role[] = ["h5", "barcodes", "features", "matrix"];

const NOTHING = {
  files: {},
  channels: [],
  bins: null,
  isRaw: false,
  leftOut: [],
  faults: [],
  unrelated: [],
};

/** Whether everything is there, the microscope image included. */
function isFilled(files: Partial<Record<Role, unknown>>, platform: PlatformId): boolean {
  const { requires } = platformById(platform);
  return requires.every(({ oneOf: [usual = [], ...others] }) =>
    usual.includes("he_image")
      ? Boolean(files.he_image)
      : [usual, ...others].some((ids) => ids.every((id) => files[id as Role])),
  );
}

/** Takes apart what can be used, what cannot and why, and what has nothing to do with a sample. */
async function sort<F extends CandidateFile>(
  all: readonly Named<F>[],
  platform: PlatformId,
  given: readonly Role[],
): Promise<{ byRole: Map<Role, Named<F>[]>; leftOut: LeftOut<F>[]; rest: Named<F>[] }> {
  const byRole = new Map<Role, Named<F>[]>();
  const leftOut: LeftOut<F>[] = [];
  const rest: Named<F>[] = [];
  const leave = (each: Named<F>, sentence: string, role: Role | undefined, isUnreadable: boolean) =>
    leftOut.push({ file: each.file, role, sentence, matters: isUnreadable, isUnreadable });
  for (const each of all) {
    const form = unusableForm(each.name);
    if (form) {
      leave(each, `${each.shown} ${form.why}.`, form.role, true);
      continue;
    }
    const other = otherPurpose(each);
    // One that was chosen by itself is meant.
    const isChosen = each.file.isChosen === true && other?.role === "reference";
    if (other && !isChosen) {
      if (other.role) leave(each, `${each.shown} ${other.why}.`, other.role, false);
      else rest.push(each);
      continue;
    }
    const role = isChosen ? "reference" : platform === "st" ? stRole(each) : spaceRangerRole(each);
    if (!role) {
      rest.push(each);
      continue;
    }
    if (given.includes(role)) continue;
    const fault = await contentFault(role, each);
    // A picture that is none is one of many; a TIFF is the image.
    const isFigure = role === "he_image" && !TIFF_LIKE.test(each.name);
    if (fault !== null) leave(each, fault, role, !isFigure);
    else byRole.set(role, [...(byRole.get(role) ?? []), each]);
  }
  return { byRole, leftOut, rest };
}

/** Most files to look into for tables with names of their own, and the largest. */
const MAX_LOOKED_INTO = 50;

/** Finds tables by what they hold, for roles that no name promises; `rest` keeps the others. */
async function fillByContent<F extends CandidateFile>(
  byRole: Map<Role, Named<F>[]>,
  rest: Named<F>[],
): Promise<void> {
  const wanted = new Set<Role>(
    (["positions", "scale"] as const).filter((role) => !byRole.has(role)),
  );
  if (!byRole.has("h5") && !byRole.has("matrix")) {
    for (const role of ["barcodes", "features", "matrix"] as const) {
      if (!byRole.has(role)) wanted.add(role);
    }
  }
  if (wanted.size === 0) return;
  const tables = rest.filter(({ name }) => /\.(csv|tsv|txt|mtx|json)(\.gz)?$/.test(name));
  for (const table of tables.slice(0, MAX_LOOKED_INTO)) {
    const head = await headOf(table.file);
    const held = head && tableContent(head);
    if (!held || !wanted.has(held)) continue;
    // Tables of genes are too common: only together with the matrix.
    if (held === "features" && !/feature|gene/.test(table.name)) continue;
    byRole.set(held, [...(byRole.get(held) ?? []), table]);
    rest.splice(rest.indexOf(table), 1);
  }
}

/** The sentence that names the platform whose files these are, if it is not the chosen one. */
function platformFault<F extends CandidateFile>(
  all: readonly Named<F>[],
  byRole: ReadonlyMap<Role, readonly Named<F>[]>,
  { platform, subject }: { platform: PlatformId; subject: string },
): Fault<F> | null {
  const bins = [...new Set(all.flatMap((each) => binOf(each) ?? []))].sort();
  const evidence = (id: PlatformId): string | undefined => {
    if (id === "st") return all.find((each) => stRole(each) === "coordinates")?.shown;
    if (id === "hd_visium" && bins.length > 0) return list(bins);
    const positions =
      byRole.get("positions") ?? all.filter((each) => spaceRangerRole(each) === "positions");
    return positions.find((each) => id === "hd_visium" || !binOf(each))?.shown;
  };
  if (evidence(platform) !== undefined) return null;
  for (const { id } of PLATFORMS) {
    const found = id === platform ? undefined : evidence(id);
    if (found === undefined) continue;
    return {
      files: [],
      sentence: `${subject} contains ${platformById(id).label} data (${found}): set the platform to ${inWords(id)}.`,
    };
  }
  return null;
}

/** Files in upper folders and with shorter names first: copies have longer names. */
function byPlace(a: Named, b: Named): number {
  const depth = ({ folder }: Named): number => (folder === "" ? 0 : folder.split("/").length);
  return (
    depth(a) - depth(b) ||
    a.file.path.length - b.file.path.length ||
    (a.file.path < b.file.path ? -1 : 1)
  );
}

/** "HD Visium and a bin size of 8 or 16 µm". */
function inWords(id: PlatformId): string {
  const { label, resolutions } = platformById(id);
  return resolutions.length === 0
    ? label
    : `${label} and a bin size of ${resolutions.join(" or ")} µm`;
}
