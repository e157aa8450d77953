import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import sharp from "sharp";
import type { RgbImage, SpatialSlot } from "../../exports/h5ad/spatial-slot.ts";
import type { StepContext } from "../../step.ts";

type SampleContext = Pick<StepContext, "settings" | "files">;

/** Folder names that say nothing about the sample. */
const GENERIC = /^(outs|spatial|data|input|square_\d{3}um)$/;

/** A sample's name: the one it was given, else its folder's, or that of the folder above Space Ranger's `outs`. */
export function sampleNameOf({ settings, files: { root } }: SampleContext): string {
  if (settings.sampleName !== undefined) return settings.sampleName;
  for (let path = root; path !== dirname(path); path = dirname(path)) {
    const name = basename(path);
    if (!GENERIC.test(name)) return name;
  }
  return "sample";
}

/**
 * Pictures and scale factors in the slot that scanpy and squidpy draw from. There `spot_diameter_fullres` sets the size
 * of a dot, so it is the diameter of a median cell here; the spots' own is kept under another name.
 */
export async function spatialSlot(
  context: SampleContext,
  cellDiameterPx: number,
): Promise<SpatialSlot> {
  const { files } = context;
  const scalefactors: Record<string, number> = {};
  if (files.scalefactors !== null) {
    const stored = JSON.parse(await readFile(files.scalefactors, "utf8")) as Record<
      string,
      unknown
    >;
    for (const [name, value] of Object.entries(stored)) {
      if (typeof value === "number" && Number.isFinite(value)) scalefactors[name] = value;
    }
  }
  if (scalefactors.spot_diameter_fullres !== undefined) {
    scalefactors.capture_spot_diameter_fullres = scalefactors.spot_diameter_fullres;
  }
  scalefactors.spot_diameter_fullres = cellDiameterPx;
  const images: SpatialSlot["images"] = {};
  for (const name of ["hires", "lowres"] as const) {
    const path = files[name];
    // Without its scale factor a picture cannot be put under the cells.
    if (path !== null && scalefactors[`tissue_${name}_scalef`] !== undefined) {
      images[name] = await rgbOf(path);
    }
  }
  return { libraryId: sampleNameOf(context), images, scalefactors };
}

async function rgbOf(path: string): Promise<RgbImage> {
  const { data, info } = await sharp(path, { limitInputPixels: false })
    .toColourspace("srgb")
    .flatten({ background: "#ffffff" })
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { widthPx: info.width, heightPx: info.height, pixels: new Uint8Array(data) };
}
