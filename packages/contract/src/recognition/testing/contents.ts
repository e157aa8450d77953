import type { CandidateFile } from "../candidate.ts";

/**
 * A file described as "path" or "path = content". Without content it holds what its name promises. Content is a size
 * ("900x800", with " gray" if it has one number per pixel), or text after a quote mark.
 */
export async function describedFile(line: string): Promise<{ path: string; bytes: Uint8Array }> {
  const [path = "", content = ""] = line.split(" = ");
  const size = /^(\d+)x(\d+)( gray)?/.exec(content);
  const name = path.split("/").at(-1)!.toLowerCase();
  const shape = { width: Number(size?.[1] ?? 90), height: Number(size?.[2] ?? 80) };
  const samples = size?.[3] ? 1 : 3;
  const bytes = content.startsWith('"')
    ? text(content.slice(1).replaceAll("\\n", "\n").replaceAll("\\t", "\t"))
    : plausible(name.replace(/\.gz$/, ""), { ...shape, samples });
  const isPacked = name.endsWith(".gz") && !content.startsWith('"');
  return { path, bytes: isPacked ? await gzip(bytes) : bytes };
}

export function candidate({ path, bytes }: { path: string; bytes: Uint8Array }): CandidateFile {
  return {
    path,
    size: bytes.length,
    read: (start, end) => Promise.resolve(bytes.subarray(start, end)),
  };
}

interface Size {
  width: number;
  height: number;
  samples: number;
}

/** The beginning of a file as its name promises it. */
function plausible(name: string, size: Size): Uint8Array {
  const ending = /\.[a-z0-9]+$/.exec(name)?.[0] ?? "";
  switch (ending) {
    case ".h5":
    case ".h5ad":
      // The name makes contents differ.
      return text(`\x89HDF\r\n\x1a\n${name}`);
    case ".parquet":
      return text(`PAR1${name} PAR1`);
    case ".tif":
    case ".tiff":
    case ".btf":
    case ".svs":
    case ".qptiff":
    case ".scn":
      return tiff(size, name);
    case ".png":
      return png(size, name);
    case ".jpg":
    case ".jpeg":
      return jpeg(size, name);
    case ".json":
      return text(`{"tissue_hires_scalef": 0.1, "spot_diameter_fullres": 90}`);
    case ".geojson":
      return text(`{"type": "FeatureCollection", "features": []}`);
    case ".mtx":
      return text(`%%MatrixMarket matrix coordinate integer general\n%${name}\n2 2 1\n1 1 5\n`);
    case ".csv":
      return text(`barcode,in_tissue,array_row,array_col,a,b\nAAACAAGTATCTCCCA-1,1,0,0,5,5\n`);
    case ".tsv":
      return text(
        /feature|genes/.test(name)
          ? "ENSG00000000001\tABC\tGene Expression\nENSG00000000002\tDEF\tGene Expression\n"
          : "AAACAAGTATCTCCCA-1\nAAACACCAATAACTGC-1\n",
      );
    default:
      return text(`of ${name}`);
  }
}

function text(content: string): Uint8Array {
  return Uint8Array.from(content, (letter) => letter.charCodeAt(0));
}

function tiff({ width, height, samples }: Size, name: string): Uint8Array {
  const tail = text(name);
  const bytes = new Uint8Array(8 + 2 + 3 * 12 + 4 + tail.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0x4949);
  view.setUint16(2, 42, true);
  view.setUint32(4, 8, true);
  view.setUint16(8, 3, true);
  for (const [i, [tag, value]] of [
    [256, width],
    [257, height],
    [277, samples],
  ].entries()) {
    const at = 10 + 12 * i;
    view.setUint16(at, tag!, true);
    view.setUint16(at + 2, 4, true);
    view.setUint32(at + 4, 1, true);
    view.setUint32(at + 8, value!, true);
  }
  bytes.set(tail, bytes.length - tail.length);
  return bytes;
}

function png({ width, height, samples }: Size, name: string): Uint8Array {
  const head = text(`\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR........\x08${samples === 1 ? "\0" : "\x02"}`);
  const view = new DataView(head.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return Uint8Array.from([...head, ...text(`${name}\0\0\0\0IEND\xaeB\x60\x82`)]);
}

function jpeg({ width, height, samples }: Size, name: string): Uint8Array {
  const head = text("\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08.....");
  const view = new DataView(head.buffer);
  view.setUint16(13, height);
  view.setUint16(15, width);
  head[17] = samples;
  return Uint8Array.from([...head, ...text(`${name} and the rest of the picture`)]);
}

async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const packed = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}
