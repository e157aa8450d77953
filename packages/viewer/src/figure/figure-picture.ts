import { figureLayout, figureSvg, type Figure } from "./figure-svg.ts";

/** A raster in a figure: where its top left corner is in the drawing, CSS px. */
export interface PlacedPicture {
  picture: HTMLCanvasElement;
  x: number;
  y: number;
}

/**
 * A figure as a bitmap of `ratio` pixels per CSS px: the pictures, which have that many too, below what the figure
 * draws itself. Rejects if the browser cannot draw it.
 */
export async function figurePicture(
  figure: Figure,
  pictures: readonly PlacedPicture[],
  ratio: number,
): Promise<HTMLCanvasElement> {
  const { width, height, x, y } = figureLayout(figure);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const one of pictures) {
    context.drawImage(
      one.picture,
      Math.round((x + one.x) * ratio),
      Math.round((y + one.y) * ratio),
    );
  }
  const words = new Image();
  words.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(figureSvg({ ...figure, ground: false }))}`;
  await words.decode();
  context.drawImage(words, 0, 0, canvas.width, canvas.height);
  return canvas;
}
