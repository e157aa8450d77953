import { Deck, OrthographicView } from "@deck.gl/core";
import { graphics } from "./graphics.ts";
import { isOfCells } from "./scene-layers.ts";
import type { StageSize } from "./camera.ts";
import type { ViewState } from "./view-fit.ts";

export interface DeckEvents {
  onMove(next: ViewState): void;
  onResize(size: StageSize): void;
  /** Nothing can be drawn anymore: WebGL is unavailable or was lost. */
  onLost(): void;
}

/** The drawing library in its own place on the page. */
export interface DeckStage {
  host: HTMLElement;
  deck: Deck<OrthographicView>;
  /** What is drawn now, as a picture of `ratio` pixels for each CSS px; cells may be left out. */
  picture(size: StageSize, ratio: number, withCells: boolean): HTMLCanvasElement;
  destroy(): void;
}

export function deckStage(
  parent: HTMLElement,
  viewState: ViewState,
  events: DeckEvents,
): DeckStage {
  // Its own place for the canvas, which leaves the page with the scene.
  const host = parent.appendChild(document.createElement("div"));
  host.style.cssText = "position: absolute; inset: 0;";
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  let gone = false;
  const lost = () => {
    if (!gone) events.onLost();
  };
  const deck = new Deck<OrthographicView>({
    parent: host,
    // Layers smooth their own edges: four samples a pixel would only make a processor slower. Pictures are read at once.
    deviceProps: { webgl: { antialias: graphics() === "card", preserveDrawingBuffer: false } },
    views: new OrthographicView({ id: "stage", flipY: true }),
    viewState,
    controller: { keyboard: false, doubleClickZoom: true, inertia: calm ? false : 150 },
    _pickable: false,
    layers: [],
    getCursor: ({ isDragging }) => (isDragging ? "grabbing" : "crosshair"),
    onError: (error, layer) => {
      console.error(error);
      if (!layer) lost();
    },
    onViewStateChange: ({ viewState: { target, zoom } }) =>
      events.onMove({ target: [target![0], target![1], 0], zoom: zoom as number }),
    onResize: ({ width, height }) => events.onResize({ width, height }),
    // deck.gl makes the host a stop of the Tab key; the view around it is one already, and has a name.
    onLoad: () => host.removeAttribute("tabindex"),
  });
  host.addEventListener("webglcontextlost", lost, true);
  return {
    host,
    deck,
    picture({ width, height }, ratio, withCells) {
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      deck.setProps({
        useDevicePixels: ratio,
        layerFilter: withCells ? null : ({ layer }) => !isOfCells(layer.id),
      });
      // Drawn and read in one go: the browser may clear the drawing as soon as this task ends.
      deck.redraw("picture");
      const drawn = host.querySelector("canvas");
      if (drawn) canvas.getContext("2d")!.drawImage(drawn, 0, 0, canvas.width, canvas.height);
      deck.setProps({ useDevicePixels: true, layerFilter: null });
      deck.redraw("picture taken");
      return canvas;
    },
    destroy() {
      gone = true;
      const drawn = host.querySelector("canvas");
      deck.finalize();
      host.remove();
      // Given back at once: browsers keep only some sixteen.
      drawn?.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}
