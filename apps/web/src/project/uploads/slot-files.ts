import { acceptedExtension, type UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { typeChange, typeRefusal } from "@stipple/contract/recognition/accepted-type";
import { named } from "@stipple/contract/recognition/candidate";
import { contentFault, type Purpose } from "@stipple/contract/recognition/content";
import { contentKind, HEAD_BYTES } from "@stipple/contract/recognition/content-kind";
import { spaceRangerRole, stRole } from "@stipple/contract/recognition/names";
import { refusals } from "./texts.ts";
import { candidateOf } from "./assign-files.ts";

/** Larger tables are packed and unpacked by their owner. */
const LARGEST_CHANGE = 512 * 1024 * 1024;

/** Why the slot does not take this file, or undefined if it does, perhaps after {@link prepared}. */
export function typeFault(slot: UploadSlot, file: File): string | undefined {
  const refusal = typeRefusal(slot, file.name);
  if (refusal === null) return undefined;
  return typeChange(slot, file.name) && file.size <= LARGEST_CHANGE ? undefined : refusal;
}

/**
 * The file as the slot accepts it: a table is unpacked or packed here if its type asks for it, so that those of GEO need
 * no preparation, nor those that a browser unpacked and left with ".gz" in their names.
 */
export async function prepared(slot: UploadSlot, file: File): Promise<File> {
  const isAccepted = acceptedExtension(slot, file.name) !== undefined;
  const name = isAccepted ? file.name : (typeChange(slot, file.name)?.name ?? file.name);
  const head = await file.slice(0, HEAD_BYTES).arrayBuffer();
  const isPacked = contentKind(new Uint8Array(head)) === "gzip";
  const isRight = isPacked === name.toLowerCase().endsWith(".gz");
  if (name === file.name && (isRight || file.size > LARGEST_CHANGE)) return file;
  const through = isPacked ? new DecompressionStream("gzip") : new CompressionStream("gzip");
  const bytes = isRight ? file : await new Response(file.stream().pipeThrough(through)).blob();
  return new File([bytes], name, { lastModified: file.lastModified });
}

/** Why `slot` does not take a file that was chosen for it alone, by its name and its first bytes. */
export async function slotRefusal(
  slots: readonly UploadSlot[],
  slot: UploadSlot,
  file: File,
): Promise<string | undefined> {
  const type = typeFault(slot, file);
  if (type !== undefined) return type;
  const candidate = named(candidateOf({ file, path: file.name }));
  const isOfTables = slots.some(({ id }) => id === "coordinates");
  const role = isOfTables ? stRole(candidate) : spaceRangerRole(candidate);
  const other = slots.find(({ id }) => id === role);
  if (other && other !== slot && other.group === slot.group) {
    return refusals.belongsElsewhere(other.label);
  }
  return (await contentFault(slot.id as Purpose, candidate)) ?? undefined;
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
