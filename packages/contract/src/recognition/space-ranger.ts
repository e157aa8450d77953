import { platformById } from "../platforms/index.ts";
import { foldersBetween, list, type CandidateFile, type Named, type Role } from "./candidate.ts";
import { chooseImage, expectedFrom } from "./choose-image.ts";
import { distinct } from "./content.ts";
import { binOf, isRaw } from "./names.ts";
import type { Choice, RecognizeOptions, Sorted } from "./recognize.ts";
import type { Fault } from "./recognition.ts";

/** Names that Space Ranger itself gives, after a prefix. */
const EXACT =
  /^(tissue_(hires|lowres)_image\.png|scalefactors_json\.json|(filtered|raw)_(feature|gene)_bc_matri(x|ces)(_h5)?\.h5)$/;
const WORDS: Partial<Record<Role, string>> = {
  h5: "matrices of counts",
  matrix: "matrices of counts",
  barcodes: "lists of barcodes",
  features: "lists of genes",
  hires: "high-resolution pictures",
  lowres: "low-resolution pictures",
  scale: "files of scale factors",
  cells: "files of cell outlines",
  nuclei: "files of nucleus outlines",
  fine_bins: "matrices of 2 µm bins",
  reference: "references",
};

/** The files of one sample in Space Ranger's output: an outs folder, a parent of it, or a flat folder. */
export async function chooseSpaceRanger<F extends CandidateFile>(
  { byRole, subject }: Sorted<F>,
  { platform, resolution }: RecognizeOptions,
): Promise<Choice<F>> {
  const rejected: Choice<F>["rejected"] = [];
  const faults: Fault<F>[] = [];
  const files: Choice<F>["files"] = {};
  const reject = (each: Named<F>, role: Role, why: string) =>
    rejected.push({ file: each, role, why });

  const bins = keepBins({ byRole, subject, faults, reject }, { platform, resolution });
  const positions = await choosePositions(
    byRole.get("positions") ?? [],
    { isHd: platform === "hd_visium", subject },
    { faults, reject },
  );
  const isSeveral = faults.some(({ role }) => role === undefined);
  if (isSeveral) return { files, channels: [], bins, isRaw: false, faults, rejected };
  if (positions) files.positions = positions.file;

  const raw = keepFiltered(byRole, reject);
  const counts = [...(byRole.get("h5") ?? []), ...(byRole.get("matrix") ?? [])];
  const base = positions
    ? withoutSpatial(positions.folder)
    : counts.length > 0
      ? counts[0]!.folder.replace(/(^|\/)(filtered|raw)_feature_bc_matrix$/, "")
      : "";
  const prefixes = new Set(counts.flatMap((each) => each.prefix || []));
  const prefix = positions?.prefix || (prefixes.size === 1 ? [...prefixes][0]! : "");

  const place = { base, prefix, positions };
  const take = (role: Role, among = byRole.get(role) ?? []): Promise<Named<F> | undefined> =>
    takeNearest(role, among, place, { files, faults, reject, subject });

  const h5 = await take("h5");
  const partial = keepWholeGenomes({ byRole, subject, reject }, h5 !== undefined);
  if (partial) faults.push(partial);
  const matrix = await take("matrix");
  for (const role of ["barcodes", "features"] as const) {
    const all = byRole.get(role) ?? [];
    const beside = matrix
      ? all.filter((each) => each.folder === matrix.folder && each.prefix === matrix.prefix)
      : all;
    await take(role, beside.length > 0 ? beside : all.length === 1 ? all : []);
  }
  const hires = await take("hires");
  const scale = await take("scale");
  for (const role of ["lowres", "cells", "nuclei", "fine_bins", "reference"] as const) {
    await take(role);
  }
  const { image, channels, fault, ...images } = await chooseImage(byRole.get("he_image") ?? [], {
    expected: await expectedFrom(hires, scale),
    base,
    prefix,
    subject,
  });
  if (image) files.he_image = image;
  if (fault) faults.push(fault);
  for (const { file, why } of images.rejected) reject(file, "he_image", why);
  return { files, channels, bins, isRaw: raw, faults, rejected };
}

interface Outcome<F extends CandidateFile> {
  faults: Fault<F>[];
  reject: (file: Named<F>, role: Role, why: string) => void;
}

/** Takes the nearest file of a role; several equally near ones that differ are a fault. */
async function takeNearest<F extends CandidateFile>(
  role: Role,
  among: readonly Named<F>[],
  { base, prefix, positions }: { base: string; prefix: string; positions: Named<F> | undefined },
  {
    files,
    faults,
    reject,
    subject,
  }: Outcome<F> & Pick<Choice<F>, "files"> & Pick<Sorted<F>, "subject">,
): Promise<Named<F> | undefined> {
  /** Lower is nearer: folders up and down; another prefix and another name add less than a folder. */
  const distance = (each: Named<F>): number =>
    foldersBetween(base, each.folder) +
    (each.prefix === prefix ? 0 : 0.5) +
    (EXACT.test(each.name.slice(each.prefix.length)) ? 0 : 0.25);
  const own = among.filter((each) => {
    if (!positions || isCompatible(each.prefix, positions.prefix)) return true;
    reject(each, role, `belongs to ${sampleName(each.prefix)}, not to ${positions.shown}`);
    return false;
  });
  const nearest = Math.min(...own.map(distance));
  const near = await distinct(own.filter((each) => distance(each) === nearest));
  if (near.length > 1) {
    const isOneName = new Set(near.map(({ shown }) => shown)).size < near.length;
    const names = list(near.map(({ shown, file }) => (isOneName ? file.path : shown)));
    faults.push({
      role,
      files: near.map(({ file }) => file),
      sentence: `${subject} contains several ${WORDS[role] ?? "files"} (${names}): keep those of one sample, or choose one.`,
    });
    return undefined;
  }
  const [chosen] = near;
  if (chosen) files[role] = chosen.file;
  for (const each of own) {
    if (each !== chosen) reject(each, role, insteadOf(each, chosen!));
  }
  return chosen;
}

/** Takes files out of their role. */
function setAside<F extends CandidateFile>(
  byRole: Map<Role, Named<F>[]>,
  reject: Outcome<F>["reject"],
) {
  return (role: Role, isOut: (each: Named<F>) => boolean, why: string): void => {
    const { out = [], kept = [] } = Object.groupBy(byRole.get(role) ?? [], (each) =>
      isOut(each) ? "out" : "kept",
    );
    for (const each of out) reject(each, role, why);
    byRole.set(role, kept);
  };
}

/** Leaves the files of one bin size, and the counts of the finest bins. Returns the folder of the chosen bins. */
function keepBins<F extends CandidateFile>(
  { byRole, subject, faults, reject }: Sorted<F> & Outcome<F>,
  { platform, resolution }: Pick<RecognizeOptions, "platform" | "resolution">,
): string | null {
  const { resolutions, slots } = platformById(platform);
  const leave = setAside(byRole, reject);
  const hasFineBins = slots.some(({ id }) => id === "fine_bins");
  leave(
    "fine_bins",
    (each) => !hasFineBins || isRaw(each),
    hasFineBins ? "holds the unfiltered counts" : "is of HD Visium bins",
  );
  const others = [...byRole].flatMap(([role, files]) => (role === "fine_bins" ? [] : files));
  const found = new Set(others.flatMap((each) => binOf(each) ?? []));
  const um = resolution ?? resolutions[0];
  const folder = um === undefined ? undefined : `square_${um.padStart(3, "0")}um`;
  const wanted = folder !== undefined && found.has(folder) ? folder : null;
  const isFlat = (byRole.get("positions") ?? []).some((each) => !binOf(each));
  if (folder !== undefined && found.size > 0 && wanted === null && !isFlat) {
    faults.push({
      files: [],
      sentence: `${subject} has ${list([...found].sort())}, but not ${folder}: choose another bin size or copy binned_outputs/${folder} there.`,
    });
  }
  const why =
    folder === undefined ? "belongs to HD Visium bins" : `belongs to other bins than ${folder}`;
  for (const role of [...byRole.keys()]) {
    if (role !== "fine_bins") leave(role, (each) => (binOf(each) ?? wanted) !== wanted, why);
  }
  return wanted;
}

/** Sets unfiltered counts aside where there are filtered ones. Returns whether only unfiltered ones are there. */
function keepFiltered<F extends CandidateFile>(
  byRole: Map<Role, Named<F>[]>,
  reject: Outcome<F>["reject"],
): boolean {
  const counts = [...(byRole.get("h5") ?? []), ...(byRole.get("matrix") ?? [])];
  if (counts.length > 0 && counts.every(isRaw)) return true;
  if (counts.length === 0) return false;
  const leave = setAside(byRole, reject);
  for (const role of ["h5", "matrix", "barcodes", "features"] as const) {
    leave(role, isRaw, "is of the unfiltered matrix: the filtered one is used");
  }
  return false;
}

/**
 * Cell Ranger 2 wrote a folder for each genome: one of several is never taken for the whole. They are set aside, and the
 * fault says so unless an H5 file has them all.
 */
function keepWholeGenomes<F extends CandidateFile>(
  { byRole, subject, reject }: Sorted<F> & Pick<Outcome<F>, "reject">,
  hasH5: boolean,
): Fault<F> | null {
  const genomeOf = ({ folder }: Named<F>): string | undefined =>
    /(?:^|\/)(?:filtered|raw)_gene_bc_matrices\/([^/]+)$/i.exec(folder)?.[1];
  const matrices = (byRole.get("matrix") ?? []).filter((each) => genomeOf(each) !== undefined);
  const genomes = [...new Set(matrices.map((each) => genomeOf(each)!))].sort();
  if (genomes.length < 2) return null;
  const leave = setAside(byRole, reject);
  for (const role of ["matrix", "barcodes", "features"] as const) {
    leave(role, (each) => genomeOf(each) !== undefined, "is of one genome only");
  }
  if (hasH5) return null;
  return {
    role: "matrix",
    files: matrices.map(({ file }) => file),
    sentence: `${subject} holds the counts of ${genomes.length} genomes (${list(genomes)}) in a folder each, and one alone is only part of the data: use the H5 file (filtered_gene_bc_matrices_h5.h5), which has all of them, or a matrix of Cell Ranger 3 or later.`,
  };
}

/** The positions of the one sample; those of several samples are a fault that names them. */
async function choosePositions<F extends CandidateFile>(
  all: readonly Named<F>[],
  { isHd, subject }: { isHd: boolean; subject: string },
  { faults, reject }: Outcome<F>,
): Promise<Named<F> | undefined> {
  const rank = ({ name }: Named<F>): number =>
    (name.endsWith(".parquet") === isHd ? 0 : 2) + Number(name.includes("_list"));
  const samples = new Map<string, Named<F>[]>();
  for (const each of all) {
    // A flat copy next to the folder it was copied from is the same sample; different prefixes are not.
    const key = `${withoutSpatial(each.folder)}\n${each.prefix}`;
    samples.set(
      key,
      [...(samples.get(key) ?? []), each].sort((a, b) => rank(a) - rank(b)),
    );
  }
  const firsts = await distinct([...samples.values()].map(([first]) => first!));
  if (firsts.length > 1) {
    const names = firsts.map(({ folder, prefix }) =>
      [withoutSpatial(folder), prefix && sampleName(prefix)]
        .filter((part) => part !== "")
        .join("/"),
    );
    const isFlat = firsts.every(({ folder }) => folder === firsts[0]!.folder);
    faults.push({
      files: firsts.map(({ file }) => file),
      sentence: `${subject} contains ${firsts.length} samples (${list(names.map((name) => name || "."))}): use ${isFlat ? "only the files" : "the folder"} of one of them.`,
    });
    return undefined;
  }
  const [chosen] = firsts;
  const areas = chosen && /(^|_)aggr_$/.test(chosen.prefix) ? await captureAreas(chosen) : [];
  if (chosen && areas.length > 1) {
    faults.push({
      files: [chosen.file],
      sentence: `${chosen.shown} describes ${areas.length} capture areas of spaceranger aggr (barcodes end in ${list(areas)}): analyze each from its own outs folder.`,
    });
  }
  for (const each of all) {
    if (each !== chosen) reject(each, "positions", insteadOf(each, chosen!));
  }
  return chosen;
}

/** A table of as many capture areas as aggr takes in one is a few megabytes long. */
const LARGEST_AGGR_TABLE = 2 ** 24;

/** The library numbers at the ends of the barcodes in a table of positions: "-1", "-2". */
async function captureAreas({ file }: Named): Promise<string[]> {
  const bytes = await file.read?.(0, LARGEST_AGGR_TABLE);
  const ends = new TextDecoder().decode(bytes).matchAll(/^"?[ACGTN]{8,}(-\d+)"?[,;\t]/gm);
  return [...new Set(Array.from(ends, ([, end = ""]) => end))].sort();
}

function insteadOf({ shown }: Named, chosen: Named): string {
  const used =
    chosen.shown === shown ? `the one in ${chosen.folder || "the upper folder"}` : chosen.shown;
  return `is not needed: ${used} is used`;
}

function withoutSpatial(folder: string): string {
  return folder.replace(/(^|\/)spatial$/i, "");
}

/** Whether two prefixes can be of one sample: one may say more, before or after; bins of every size are the sample's. */
function isCompatible(...prefixes: [string, string]): boolean {
  const [short, long] = prefixes
    .map((prefix) => `_${prefix}_`.replace(/square_\d{3}um/g, "").replace(/[^\p{L}\p{N}]+/gu, "_"))
    .sort((a, b) => a.length - b.length) as [string, string];
  return long.startsWith(short) || long.endsWith(short);
}

function sampleName(prefix: string): string {
  return prefix.replace(/[_.\- ]+$/, "");
}
