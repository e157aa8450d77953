import { writeFile } from "node:fs/promises";

/** One page of a plain TIFF: little-endian, one uncompressed strip, interleaved samples. */
export interface TestPage {
  width: number;
  height: number;
  samples: number;
  /** Numbers, or (with `packed`) the bytes exactly as they should appear in the file. */
  data: Uint8Array | Uint16Array | Int16Array | Float32Array;
  packed?: { bits: number; predictor?: number };
  pageName?: string;
  photometric?: number;
  compression?: number;
  extraSamples?: number[];
  /** Red of each index, then green, then blue. */
  colorMap?: number[];
  description?: string;
  /** Flags: 1 = a reduced version, 4 = a mask. */
  subfile?: number;
  orientation?: number;
  /** `data` lists all values of one sample after the other; each is a strip of its own. */
  planar?: boolean;
  /** `data` is one tile of this size instead of a strip. */
  tile?: { width: number; height: number };
}

/** Writes pages like libraries other than sharp (several channels, pages as channels, odd tags). */
export async function writeTestTiff(path: string, pages: readonly TestPage[]): Promise<void> {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])];
  let at = 8;
  const append = (bytes: Buffer): number => {
    const start = at;
    const padded = bytes.length % 2 ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes;
    parts.push(padded);
    at += padded.length;
    return start;
  };
  let pointer: { buffer: Buffer; offset: number } = { buffer: parts[0], offset: 4 };
  for (const page of pages) {
    const pixels = Buffer.from(page.data.buffer, page.data.byteOffset, page.data.byteLength);
    const strip = append(pixels);
    const bits = page.packed?.bits ?? page.data.BYTES_PER_ELEMENT * 8;
    const planes = page.planar ? page.samples : 1;
    const strips = (first: number, step: number): number[] =>
      Array.from({ length: planes }, (_, plane) => first + plane * step);
    const bytes = pixels.length / planes;
    const entries: [tag: number, type: 2 | 3 | 4, values: number[] | string][] = [
      [254, 4, [page.subfile ?? 0]],
      [256, 4, [page.width]],
      [257, 4, [page.height]],
      [258, 3, new Array<number>(page.samples).fill(bits)],
      [259, 3, [page.compression ?? 1]],
      [262, 3, [page.photometric ?? 1]],
      ...(page.description === undefined
        ? []
        : ([[270, 2, `${page.description}\0`]] as [number, 2, string][])),
      [page.tile ? 324 : 273, 4, strips(strip, bytes)],
      ...(page.orientation ? ([[274, 3, [page.orientation]]] as [number, 3, number[]][]) : []),
      [277, 3, [page.samples]],
      [278, 4, [page.height]],
      [page.tile ? 325 : 279, 4, strips(bytes, 0)],
      ...(page.tile
        ? ([
            [322, 4, [page.tile.width]],
            [323, 4, [page.tile.height]],
          ] as [number, 4, number[]][])
        : []),
      ...(page.planar ? ([[284, 3, [2]]] as [number, 3, number[]][]) : []),
      ...(page.pageName === undefined
        ? []
        : ([[285, 2, `${page.pageName}\0`]] as [number, 2, string][])),
      ...(page.packed?.predictor
        ? ([[317, 3, [page.packed.predictor]]] as [number, 3, number[]][])
        : []),
      ...(page.colorMap ? ([[320, 3, page.colorMap]] as [number, 3, number[]][]) : []),
      ...(page.extraSamples ? ([[338, 3, page.extraSamples]] as [number, 3, number[]][]) : []),
      [339, 3, new Array<number>(page.samples).fill(formatOf(page.data))],
    ];
    entries.sort((a, b) => a[0] - b[0]);
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16LE(entries.length, 0);
    entries.forEach(([tag, type, values], i) => {
      const bytes =
        typeof values === "string"
          ? Buffer.from(values, "latin1")
          : Buffer.from((type === 3 ? Uint16Array.from(values) : Uint32Array.from(values)).buffer);
      const entry = 2 + i * 12;
      directory.writeUInt16LE(tag, entry);
      directory.writeUInt16LE(type, entry + 2);
      directory.writeUInt32LE(values.length, entry + 4);
      if (bytes.length <= 4) bytes.copy(directory, entry + 8);
      else directory.writeUInt32LE(append(bytes), entry + 8);
    });
    pointer.buffer.writeUInt32LE(append(directory), pointer.offset);
    pointer = { buffer: directory, offset: directory.length - 4 };
  }
  await writeFile(path, Buffer.concat(parts));
}

function formatOf(data: TestPage["data"]): number {
  return data instanceof Float32Array ? 3 : data instanceof Int16Array ? 2 : 1;
}
