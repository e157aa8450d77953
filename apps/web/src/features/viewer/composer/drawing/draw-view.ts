import { createScene, type Scene, type SceneContent } from "@stipple/viewer";
import type { ViewName } from "@stipple/viewer/choices";
import type { ViewSource } from "@stipple/viewer/source";
import { cellsSvg, MAX_VECTOR_CELLS } from "@stipple/viewer/figure";
import { viewFrame, type FramedView } from "../page/view-frame.ts";
import type { ViewPicture } from "../page/view-part.ts";

/** A view to be drawn for a page. */
interface WantedView extends FramedView {
  source: ViewSource;
  of: ViewName;
  content: SceneContent;
  /** Of clips in the drawing. */
  id: string;
}

export interface DrawnView extends ViewPicture {
  /** Number of cells drawn as a picture, because they are too many for outlines. */
  cellsAsPicture: number;
}

const GIVE_UP_AFTER_MS = 90_000;

/**
 * Draws a view off the page, once its tiles and outlines have loaded. Rejects if they do not, and with the signal's
 * reason if it is aborted.
 */
export async function drawView(wanted: WantedView, signal: AbortSignal): Promise<DrawnView> {
  const { source, of, content, framed, id } = wanted;
  const frame = viewFrame(wanted);
  // Channels are of the level of the screen's pixels, so they get a larger screen.
  const larger = content.channels && of === "tissue" ? frame.pixels : 1;
  const size = { width: frame.widthPx * larger, height: frame.heightPx * larger };
  const place = { x: framed.x, y: framed.y, zoom: framed.zoom + Math.log2(larger) };
  const pixels = frame.pixels / larger;
  const holder = document.body.appendChild(document.createElement("div"));
  holder.inert = true;
  holder.style.cssText = `position:fixed;top:0;left:0;width:${size.width}px;height:${size.height}px;visibility:hidden;pointer-events:none;contain:strict`;
  let failure: "lost" | "missing" | null = null;
  let scene: Scene | undefined;
  try {
    scene = createScene(
      holder,
      { view: of, source, place, tilePixels: pixels },
      {
        onView: () => undefined,
        onHover: () => undefined,
        onMissing: (_, isMissing) => (failure = isMissing ? "missing" : null),
        onLost: () => (failure = "lost"),
      },
    );
    scene.show(content);
    const start = performance.now();
    for (let still = 0; still < 2; still = scene.isWhole() ? still + 1 : 0) {
      await new Promise(requestAnimationFrame);
      signal.throwIfAborted();
      if (failure || performance.now() - start > GIVE_UP_AFTER_MS) {
        throw new Error(`The view could not be drawn: ${failure ?? "late"}.`);
      }
    }
    const inView = content.layers.cells ? scene.cellsInView(MAX_VECTOR_CELLS) : undefined;
    const isAll = !content.layers.cells || inView !== undefined;
    const isPhoto = of === "tissue" && content.layers.tissue;
    const { umPerPixel } = scene.frame();
    const swipe = of === "tissue" ? content.swipe : null;
    return {
      raster: dataUrl(
        flattened(scene.picture(pixels, { cells: !isAll, regions: true })),
        isPhoto && isAll,
      ),
      shapes: inView
        ? cellsSvg(inView, scene.positions, (swipe ?? 0) * size.width, `${id}-cells`)
        : "",
      widthPx: size.width,
      heightPx: size.height,
      umPerPixel,
      swipe,
      place,
      cellsAsPicture: isAll ? 0 : (scene.seen()?.inView ?? 0),
    };
  } finally {
    scene?.destroy();
    holder.remove();
  }
}

/** Photographs as JPEG, in which they also arrived: far fewer bytes, and quickly part of a PDF. */
function dataUrl(picture: HTMLCanvasElement, isPhoto: boolean): string {
  return isPhoto ? picture.toDataURL("image/jpeg", 0.95) : picture.toDataURL("image/png");
}

/** On white, without transparency: smaller files, which every program reads. */
function flattened(picture: HTMLCanvasElement): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = picture.width;
  canvas.height = picture.height;
  const context = canvas.getContext("2d", { alpha: false })!;
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0);
  return canvas;
}
