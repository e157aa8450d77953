import { areaSums } from "@stipple/numerics/area-sums";
import { throwIfCancelled } from "../../errors.ts";
import type { StainModel } from "../../facts.ts";
import type { Figure, PictureLayer } from "../../figures/figure.ts";
import { svgScaleBar } from "../../figures/scale-bar.ts";
import { svgText } from "../../figures/svg.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { scaledChannel } from "../../optics/channel-background.ts";
import type { MaskOnImage } from "../../optics/sample-windows.ts";
import { separateStains, type Triple } from "../../optics/separate-stains.ts";

const PANEL_PX = 400;
const FIELD_UM = 300;
const GAP = 16;
const TOP = 76;
const FONT = 17;

/** A tissue region next to its separated stains or, for fluorescence, its nuclear channel. */
export async function separationFigure(
  image: TissueImage,
  model: StainModel,
  tissue: MaskOnImage,
  options: { umPerPixel: number; signal: AbortSignal },
): Promise<Figure> {
  throwIfCancelled(options.signal);
  const wanted = Math.max(16, Math.round(FIELD_UM / options.umPerPixel));
  const side = Math.min(wanted, image.widthPx, image.heightPx);
  const { x, y } = fullestField(tissue, side, image);
  const out = Math.min(PANEL_PX, Math.max(side, PANEL_PX));
  const region = {
    x,
    y,
    width: side,
    height: side,
    outWidth: out,
    outHeight: out,
    signal: options.signal,
  };
  const original = (await image.getRegion(region)).data;
  const panels: { title: string; pixels: Uint8Array }[] = [{ title: "Original", pixels: original }];
  if (model.fluorescence) {
    const { nuclearChannel } = model.fluorescence;
    const read = (await image.getChannel(nuclearChannel, region)).data;
    const place = { x, y, width: out, height: out, step: side / out };
    const data = scaledChannel(read, model.fluorescence, nuclearChannel, place, image);
    const pixels = new Uint8Array(data.length * 3);
    data.forEach((value, i) => {
      pixels.fill(Math.round(255 * Math.min(1, value)), 3 * i, 3 * i + 3);
    });
    panels.push({ title: `Nuclear stain (channel ${nuclearChannel + 1})`, pixels });
  } else {
    const { hematoxylin, eosin } = separateStains(original, model);
    panels.push(
      { title: "Hematoxylin", pixels: stainPicture(hematoxylin, model.hematoxylin) },
      { title: "Eosin", pixels: stainPicture(eosin, model.eosin) },
    );
  }
  const layers: Figure["layers"] = panels.map(({ pixels }, i): PictureLayer => ({
    kind: "picture",
    x: GAP + i * (out + GAP),
    y: TOP,
    widthPx: out,
    heightPx: out,
    channels: 3,
    pixels,
  }));
  const texts = panels.map(({ title }, i) =>
    svgText(GAP + i * (out + GAP), TOP - 12, title, { size: FONT }),
  );
  const heading = model.fluorescence ? "Fluorescence channels" : "Stain separation";
  texts.push(
    svgText(GAP, 30, heading, { size: FONT * 1.3, weight: 600 }),
    svgScaleBar(
      GAP + (panels.length - 1) * (out + GAP) + FONT,
      TOP + out - FONT,
      out,
      (options.umPerPixel * side) / out,
      FONT,
    ),
  );
  layers.push({ kind: "vector", svg: texts.join("\n") });
  return {
    widthPx: GAP + panels.length * (out + GAP),
    heightPx: TOP + out + GAP,
    layers,
  };
}

/** The slide as it would look with only one stain (Beer–Lambert on white). */
function stainPicture(concentration: Float32Array, vector: Triple): Uint8Array {
  const pixels = new Uint8Array(concentration.length * 3);
  concentration.forEach((amount, i) => {
    for (let c = 0; c < 3; c++) pixels[3 * i + c] = Math.round(255 * Math.exp(-amount * vector[c]));
  });
  return pixels;
}

/** Corner of the square with the most tissue, or of the one closest to the center if equal. */
function fullestField(
  tissue: MaskOnImage,
  side: number,
  image: TissueImage,
): { x: number; y: number } {
  const { mask, width, height, stepX, stepY } = tissue;
  const sumOf = areaSums(mask, width, height);
  const w = Math.max(1, Math.min(width, Math.round(side / stepX)));
  const h = Math.max(1, Math.min(height, Math.round(side / stepY)));
  let best = { score: Number.NEGATIVE_INFINITY, x: 0, y: 0 };
  for (let y = 0; y + h <= height; y++) {
    for (let x = 0; x + w <= width; x++) {
      const offCenter = Math.hypot(x + w / 2 - width / 2, y + h / 2 - height / 2);
      const score =
        sumOf(x, y, x + w, y + h) / (w * h) - (1e-3 * offCenter) / Math.max(width, height);
      if (score > best.score) best = { score, x, y };
    }
  }
  return {
    x: Math.max(0, Math.min(image.widthPx - side, Math.round(best.x * stepX))),
    y: Math.max(0, Math.min(image.heightPx - side, Math.round(best.y * stepY))),
  };
}
