import type { PaperFigure } from "../figures.ts";
import { pixelsOf } from "../page/layout.ts";

const SIGNATURE_BYTES = 8;
/** Length, name, 13 bytes of contents, and checksum of the first chunk. */
const HEADER_BYTES = 25;
const METERS_PER_INCH = 0.0254;

/** A page as PNG of its size in mm at its resolution, which the file states. Rejects if the browser cannot draw it. */
export async function pngFile({ widthMm, heightMm, dpi }: PaperFigure, svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const page = new Image();
    page.src = address;
    await page.decode();
    const canvas = document.createElement("canvas");
    canvas.width = pixelsOf(widthMm, dpi);
    canvas.height = pixelsOf(heightMm, dpi);
    const context = canvas.getContext("2d", { alpha: false })!;
    context.imageSmoothingQuality = "high";
    context.drawImage(page, 0, 0, canvas.width, canvas.height);
    const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!file) throw new Error("The browser could not save the image.");
    const bytes = withResolution(new Uint8Array(await file.arrayBuffer()), dpi);
    return new Blob([bytes], { type: "image/png" });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The bytes of a PNG file with a chunk that states its resolution. */
export function withResolution(png: Uint8Array<ArrayBuffer>, dpi: number): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(21);
  const view = new DataView(chunk.buffer);
  const perMeter = Math.round(dpi / METERS_PER_INCH);
  view.setUint32(0, 9);
  chunk.set(new TextEncoder().encode("pHYs"), 4);
  view.setUint32(8, perMeter);
  view.setUint32(12, perMeter);
  // Of meters.
  chunk[16] = 1;
  view.setUint32(17, checksum(chunk.subarray(4, 17)));
  const at = SIGNATURE_BYTES + HEADER_BYTES;
  const bytes = new Uint8Array(png.length + chunk.length);
  bytes.set(png.subarray(0, at));
  bytes.set(chunk, at);
  bytes.set(png.subarray(at), at + chunk.length);
  return bytes;
}

/** CRC-32 as in PNG. */
function checksum(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
