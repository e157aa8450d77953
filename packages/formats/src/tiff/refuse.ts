import { TiffFault } from "./directories.ts";

/** Rejects the file; `what` completes a sentence that starts with its name. */
export function refuse(what: string): never {
  throw new TiffFault(what);
}

/** What to do about pixels of a kind that cannot be read. */
export const CONVERT =
  "save it as an 8-bit RGB TIFF (or 16-bit channels for fluorescence) and try again";
