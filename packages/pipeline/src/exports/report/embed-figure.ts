import sharp from "sharp";
import { html, type Html } from "./html.ts";

/** Enough for a page 1,200 px wide and for print. */
const WIDTH_PX = 1400;
/** The largest side that WebP supports. */
const MAX_PX = 16_383;

/** A picture embedded in the page, with its caption. Re-encoded, because the figure files themselves are large. */
export async function embedFigure(path: string, alt: string, caption: Html): Promise<Html> {
  const { data, info } = await sharp(path, { limitInputPixels: false })
    .resize({ width: WIDTH_PX, height: MAX_PX, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .webp({ quality: 80, effort: 2 })
    .toBuffer({ resolveWithObject: true });
  const source = `data:image/webp;base64,${data.toString("base64")}`;
  return html`<figure>
    <img src="${source}" width="${info.width}" height="${info.height}" alt="${alt}" />
    <figcaption>${caption}</figcaption>
  </figure>`;
}
