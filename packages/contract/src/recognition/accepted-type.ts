import { acceptedExtension, type UploadSlot } from "../platforms/upload-slot.ts";
import { isImageName, TIFF_LIKE, unusableForm } from "./names.ts";

/** What it takes to make an upload's file one of the types that its slot accepts. */
export interface TypeChange {
  /** Its name afterward. */
  name: string;
  how: "gunzip" | "gzip";
}

/** A change that leaves the content as it is; null if none would make the type an accepted one. */
export function typeChange(slot: UploadSlot, fileName: string): TypeChange | null {
  const plain = /^(.*)\.gz$/i.exec(fileName)?.[1];
  if (plain !== undefined && acceptedExtension(slot, plain) && !isImageName(plain.toLowerCase())) {
    return { name: plain, how: "gunzip" };
  }
  const packed = `${fileName}.gz`;
  return acceptedExtension(slot, packed) ? { name: packed, how: "gzip" } : null;
}

/** Why a slot does not take a file of this name, and what to do, in one or two sentences; null if it does. */
export function typeRefusal(slot: UploadSlot, fileName: string): string | null {
  if (acceptedExtension(slot, fileName) !== undefined) return null;
  const name = fileName.toLowerCase();
  const form = unusableForm(name);
  const types = `${fileName || "The file"} is not accepted as ${slot.label}: accepted types are ${slot.extensions.join(" and ")}.`;
  if (form && form.kind !== "scanner") return `${fileName} ${form.why}.`;
  if (form) return `${types} The format cannot be read: ${form.why.split(": ")[1]}.`;
  const change = typeChange(slot, fileName);
  if (change?.how === "gunzip") return `${fileName} is compressed: unpack it (gunzip).`;
  if (change) return `${types} Compress it (gzip), as Space Ranger writes it.`;
  if (!slot.extensions.includes(".tif")) return types;
  if (TIFF_LIKE.test(name)) {
    const renamed = fileName.replace(/\.[^.]+$/, ".tif");
    return `${types} Rename it to ${renamed}; the content stays as it is.`;
  }
  return isImageName(name) ? `${types} Save the original image as TIFF (.tif).` : types;
}
