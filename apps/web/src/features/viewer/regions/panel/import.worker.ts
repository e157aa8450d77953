import type { DrawnImage, DrawnRegion } from "@stipple/formats/geojson/drawn-region";
import { drawnRegions } from "@stipple/formats/geojson/drawn-regions";

/** A file to read, and the image that its regions should lie on. */
export interface ImportRequest {
  file: File;
  image: DrawnImage;
}
/** What is in it; or the sentence that says what is wrong with it, null if it can't be read. */
export type ImportAnswer = { found: DrawnRegion[] } | { problem: string | null };

class RegionFault extends Error {}

self.addEventListener("message", ({ data }: MessageEvent<ImportRequest>) => {
  void read(data).then((answer) => self.postMessage(answer));
});

async function read({ file, image }: ImportRequest): Promise<ImportAnswer> {
  try {
    const found = drawnRegions(await file.text(), image, (what) => {
      throw new RegionFault(`${file.name} ${what}`);
    });
    return { found };
  } catch (error) {
    return { problem: error instanceof RegionFault ? error.message : null };
  }
}
