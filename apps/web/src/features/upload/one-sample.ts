import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";

interface Recognized {
  path: string;
  slot: UploadSlot;
}

/** Folders inside a sample's own folder; the folders above them distinguish samples. */
const INNER_FOLDER =
  /^(spatial|filtered_feature_bc_matrix|filtered_matrix|binned_outputs|square_\d+um)$/i;

interface Group<F> {
  /** Path segments of the folder; empty for files chosen individually. */
  root: string[];
  files: F[];
  /** Slots for Space Ranger outputs; images and references may be in any folder. */
  slots: Set<string>;
}

/**
 * Keeps the files of one sample: those in the folder that fills the most slots (ties: the first), and whatever other
 * folders add to them, nearest first. A folder that fills the same slots is another sample, as is everything closer to
 * it than to the chosen folder.
 */
export function oneSample<F extends Recognized>(
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
    // Individually chosen files are kept, even if folders next to them fill the same slots.
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
