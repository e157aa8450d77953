import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";

interface Recognised {
  path: string;
  slot: UploadSlot;
}

/** Folders inside a sample's own; what is above them tells one sample from another. */
const INNER_FOLDER =
  /^(spatial|filtered_feature_bc_matrix|filtered_matrix|binned_outputs|square_\d+um)$/i;

interface Group<F> {
  /** Segments of the folder; none for files that were chosen by themselves. */
  root: string[];
  files: F[];
  /** Slots of what Space Ranger writes; images and references lie anywhere. */
  slots: Set<string>;
}

/**
 * Keeps one sample's files, nearest first: those of the folder that fills most slots (ties: the first), and whatever
 * adds to them. A folder that fills the same slots is another sample, with all that lies nearer to it.
 */
export function oneSample<F extends Recognised>(
  files: readonly F[],
): { files: F[]; others: string[] } {
  const groups = new Map<string, Group<F>>();
  for (const file of files) {
    const root = sampleRoot(file.path);
    const key = root.join("/");
    const group = groups.get(key) ?? { root, files: [], slots: new Set() };
    groups.set(key, group);
    group.files.push(file);
    if (isOfSpaceRanger(file.slot)) group.slots.add(file.slot.id);
  }
  const all = [...groups.values()];
  const chosen = all.toSorted((a, b) => b.slots.size - a.slots.size)[0];
  if (!chosen) return { files: [], others: [] };
  const near = (group: Group<F>) => sharedLength(group.root, chosen.root);
  const filled = new Set(chosen.slots);
  const kept = [chosen];
  const others: Group<F>[] = [];
  const rest = all
    .filter((group) => group !== chosen)
    .toSorted((a, b) => near(b) - near(a) || b.slots.size - a.slots.size);
  for (const group of rest) {
    if (others.some((other) => sharedLength(group.root, other.root) > near(group))) continue;
    // What was chosen by itself is meant, whatever is in folders next to it.
    if (group.root.length > 0 && [...group.slots].some((slot) => filled.has(slot)))
      others.push(group);
    else {
      kept.push(group);
      for (const slot of group.slots) filled.add(slot);
    }
  }
  return {
    files: kept.flatMap((group) => group.files),
    others: others.map(({ root }) => root.join("/")),
  };
}

function sampleRoot(path: string): string[] {
  const folders = path.split("/").slice(0, -1);
  while (INNER_FOLDER.test(folders.at(-1) ?? "")) folders.pop();
  return folders;
}

function isOfSpaceRanger(slot: UploadSlot): boolean {
  return slot.group !== "he_image" && slot.group !== "reference";
}

/** How many folders two paths have in common from the top. */
function sharedLength(a: readonly string[], b: readonly string[]): number {
  const parting = a.findIndex((folder, at) => folder !== b[at]);
  return parting < 0 ? a.length : parting;
}
