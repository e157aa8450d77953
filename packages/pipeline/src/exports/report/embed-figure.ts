import sharp from "sharp";
import { html, type Html } from "./html.ts";

/** Enough for a page of 1,200 px and for paper. */
const WIDTH_PX = 1400;
/** WebP knows no larger side. */
const MOST_PX = 16_383;

/** A picture inside the page, with its caption. Re-encoded, because the figures' own files are large. */
export async function embedFigure(path: string, alt: string, caption: Html): Promise<Html> {
  const { data, info } = await sharp(path, { limitInputPixels: false })
    .resize({ width: WIDTH_PX, height: MOST_PX, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .webp({ quality: 80, effort: 2 })
    .toBuffer({ resolveWithObject: true });
  const source = `data:image/webp;base64,${data.toString("base64")}`;
  return html`<figure>
    <img src="${source}" width="${info.width}" height="${info.height}" alt="${alt}" />
    <figcaption>${caption}</figcaption>
  </figure>`;
}
