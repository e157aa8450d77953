import { Deck, Layer, type LayersList } from "@deck.gl/core";
import { graphics } from "../draw/graphics.ts";
import { TurnedView } from "../draw/turned-view.ts";
import { UPRIGHT, type Turn } from "../geometry/turn.ts";
import { isOfCells, isOfRegions } from "../layers/index.ts";
import type { PictureParts } from "./interface.ts";
import type { StageSize, TurnedState, ViewState } from "../geometry/view-fit.ts";

export interface DeckEvents {
  onMove(next: ViewState): void;
  onResize(size: StageSize): void;
  /** Drawing is no longer possible: WebGL is unavailable or its context was lost. */
  onLost(): void;
}

/** All layers of a list, which may contain lists and nothing. */
function layersOf(list: LayersList): Layer[] {
  return (list as unknown[])
    .flat(Infinity)
    .filter((layer): layer is Layer => layer instanceof Layer);
}

function viewOf(turn: Turn): TurnedView {
  return new TurnedView({ id: "stage", turn });
}

function stateOf({ target, zoom }: TurnedState): ViewState {
  return { target, zoom };
}

/** deck.gl in its own element on the page. */
export function deckStage(parent: HTMLElement, first: TurnedState, events: DeckEvents) {
  // A separate element for the canvas, removed with the scene.
  const host = parent.appendChild(document.createElement("div"));
  host.style.cssText = "position: absolute; inset: 0;";
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  let gone = false;
  const lost = () => {
    if (!gone) events.onLost();
  };
  let shownTurn = first.turn ?? UPRIGHT;
  const deck = new Deck<TurnedView>({
    parent: host,
    // Layers antialias their own edges: 4x multisampling would only slow down CPU rendering. Pixels are read right
    // after drawing, so the buffer need not be preserved.
    deviceProps: { webgl: { antialias: graphics() === "card", preserveDrawingBuffer: false } },
    views: viewOf(shownTurn),
    viewState: stateOf(first),
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
    // deck.gl makes the host a tab stop, but the surrounding view already is one, with a label.
    onLoad: () => host.removeAttribute("tabindex"),
  });
  host.addEventListener("webglcontextlost", lost, true);
  return {
    host,
    deck,
    look(state: TurnedState): void {
      const { turn = UPRIGHT } = state;
      // Another view only if it is turned: deck.gl starts over with it.
      if (turn !== shownTurn) deck.setProps({ views: viewOf(turn) });
      shownTurn = turn;
      deck.setProps({ viewState: stateOf(state) });
    },
    /** Whether all layers have what they draw. */
    isWhole: () => deck.isInitialized && layersOf(deck.props.layers).every((one) => one.isLoaded),
    /** The current drawing as an image with `ratio` pixels per CSS px. */
    picture({ width, height }: StageSize, ratio: number, { cells, regions }: PictureParts) {
      deck.setProps({
        useDevicePixels: ratio,
        layerFilter: ({ layer }) =>
          (cells || !isOfCells(layer.id)) && (regions || !isOfRegions(layer.id)),
      });
      // Draw and read in the same task: the browser may clear the drawing buffer when it ends.
      deck.redraw("picture");
      const drawn = host.querySelector("canvas");
      const canvas = document.createElement("canvas");
      // Pixel for pixel: a drawing has no fractions of one.
      canvas.width = drawn?.width ?? Math.floor(width * ratio);
      canvas.height = drawn?.height ?? Math.floor(height * ratio);
      if (drawn) canvas.getContext("2d")!.drawImage(drawn, 0, 0);
      deck.setProps({ useDevicePixels: true, layerFilter: null });
      deck.redraw("picture taken");
      return canvas;
    },
    destroy(): void {
      gone = true;
      const drawn = host.querySelector("canvas");
      deck.finalize();
      host.remove();
      // Release the context immediately: browsers allow only about sixteen.
      drawn?.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}
