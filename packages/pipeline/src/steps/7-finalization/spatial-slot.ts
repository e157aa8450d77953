import { basename, dirname } from "node:path";
import sharp from "sharp";
import type { RgbImage, SpatialSlot } from "../../exports/h5ad/spatial-slot.ts";
import { readScalefactors } from "../../readers/space-ranger/read-scalefactors.ts";
import type { StepContext } from "../../step.ts";

type SampleContext = Pick<StepContext, "settings" | "files">;

/** Folder names that carry no information about the sample. */
const GENERIC = /^(outs|spatial|data|input|square_\d{3}um)$/;

/**
 * A sample's name: the name given by the user, else that of its folder, or of the folder above Space Ranger's
 * `outs`.
 */
export function sampleNameOf({ settings, files: { root } }: SampleContext): string {
  if (settings.sampleName !== undefined) return settings.sampleName;
  for (let path = root; path !== dirname(path); path = dirname(path)) {
    const name = basename(path);
    if (!GENERIC.test(name)) return name;
  }
  return "sample";
}

/**
 * Pictures and scale factors in the slot from which scanpy and squidpy draw. They use `spot_diameter_fullres`
 * as the dot size, so it is set to the diameter of a median cell; the true spot diameter is stored under
 * another name.
 */
export async function spatialSlot(
  context: SampleContext & Pick<StepContext, "warn">,
  cellDiameterPx: number,
): Promise<SpatialSlot> {
  const { files, warn } = context;
  const scalefactors: Record<string, number> = { ...(await readScalefactors(files.scalefactors)) };
  if (scalefactors.spot_diameter_fullres !== undefined) {
    scalefactors.capture_spot_diameter_fullres = scalefactors.spot_diameter_fullres;
  }
  scalefactors.spot_diameter_fullres = cellDiameterPx;
  const images: SpatialSlot["images"] = {};
  for (const name of ["hires", "lowres"] as const) {
    const path = files[name];
    // A picture without its scale factor cannot be aligned with the cells.
    if (path !== null && scalefactors[`tissue_${name}_scalef`] !== undefined) {
      const image = await rgbOf(path).catch(() => null);
      if (image) images[name] = image;
      // Nothing was computed from it.
      else
        warn(
          `${basename(path)} is damaged, so the files for scanpy and Seurat lack this picture: copy it from Space Ranger's spatial folder again and rerun this step.`,
        );
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
