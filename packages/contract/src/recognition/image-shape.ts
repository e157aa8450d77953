import type { CandidateFile } from "./candidate.ts";

/** What an image says of itself in its header. */
export interface ImageShape {
  format: "tiff" | "png" | "jpeg";
  widthPx: number;
  heightPx: number;
  /** Numbers per pixel: 1 for gray and channels, 3 or more for color. */
  samples: number;
}

const MAX_PAGES = 512;
const MAX_TAGS = 4096;
const HEAD = 64 * 1024;

/**
 * The size of an image, of a TIFF that of its largest page; null if the file is not a TIFF, PNG or JPEG, or if its
 * header cannot be read. Reads a few kilobytes.
 */
export async function shapeOf({ read }: CandidateFile): Promise<ImageShape | null> {
  if (!read) return null;
  const head = await read(0, HEAD);
  if (head.length < 26) return null;
  const view = viewOf(head);
  if (view.getUint32(0) === 0x89504e47) return pngShape(view);
  if (view.getUint16(0) === 0xffd8) return jpegShape(view);
  try {
    return await tiffShape(view, read);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function pngShape(view: DataView): ImageShape {
  const samples = { 2: 3, 3: 3, 4: 2, 6: 4 }[view.getUint8(25)] ?? 1;
  return { format: "png", widthPx: view.getUint32(16), heightPx: view.getUint32(20), samples };
}

/** The frame header comes after segments that state their lengths; a long one can lie beyond the head. */
function jpegShape(view: DataView): ImageShape | null {
  for (let at = 2; at + 10 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const [heightPx, widthPx] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return { format: "jpeg", widthPx, heightPx, samples: view.getUint8(at + 9) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Follows the list of pages of a classic TIFF or a BigTIFF. Throws RangeError where the file ends too early. */
async function tiffShape(
  head: DataView,
  read: NonNullable<CandidateFile["read"]>,
): Promise<ImageShape | null> {
  const order = head.getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return null;
  const little = order === 0x4949;
  const version = head.getUint16(2, little);
  if (version !== 42 && version !== 43) return null;
  const big = version === 43;
  const [countBytes, entryBytes, pointerBytes] = big ? [8, 20, 8] : [2, 12, 4];
  const pointer = (view: DataView, at: number): number =>
    big ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little);
  let largest: ImageShape | null = null;
  let next = pointer(head, big ? 8 : 4);
  const visited = new Set<number>();
  while (next !== 0 && visited.size < MAX_PAGES && !visited.has(next)) {
    visited.add(next);
    const start = viewOf(await read(next, next + countBytes));
    const count = big ? Number(start.getBigUint64(0, little)) : start.getUint16(0, little);
    if (count === 0 || count > MAX_TAGS) break;
    const from = next + countBytes;
    const page = viewOf(await read(from, from + count * entryBytes + pointerBytes));
    const tags = new Map<number, number>();
    for (let i = 0; i < count; i++) {
      const at = i * entryBytes;
      const value = at + (big ? 12 : 8);
      const type = page.getUint16(at + 2, little);
      tags.set(
        page.getUint16(at, little),
        type === 3
          ? page.getUint16(value, little)
          : type === 16
            ? pointer(page, value)
            : page.getUint32(value, little),
      );
    }
    const [widthPx, heightPx] = [tags.get(256) ?? 0, tags.get(257) ?? 0];
    if (widthPx * heightPx > (largest ? largest.widthPx * largest.heightPx : 0)) {
      largest = { format: "tiff", widthPx, heightPx, samples: tags.get(277) ?? 1 };
    }
    next = pointer(page, count * entryBytes);
  }
  return largest;
}
