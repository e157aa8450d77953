import type { LayersList } from "@deck.gl/core";
import { graphics } from "../draw/graphics.ts";
import { spotDrawings } from "../draw/spot-drawings.ts";
import { viewLayers } from "../layers/index.ts";
import { levelsAbove } from "../source/first-tiles.ts";
import type { CloseUp } from "./close-up.ts";
import type { SceneState } from "./scene-state.ts";
import type { TileRounds } from "./tile-rounds.ts";

/** The parts of a scene that decide what is drawn. */
export interface DrawnParts {
  near: CloseUp;
  rounds: TileRounds;
  /** Pixels of tiles per CSS px; undefined = as the screen has. */
  tilePixels: number | undefined;
}

/** Levels above those with a pixel per CSS px, for tiles with at least `pixels` per CSS px. */
function levelsFor(pixels: number, zoom: number): number {
  return Math.ceil(zoom + Math.log2(pixels)) - Math.ceil(zoom);
}

/** Makes the layers of a scene as it stands, and notes which outlines they draw; none before it has content. */
export function drawnLayers(
  state: SceneState,
  { near, rounds, tilePixels }: DrawnParts,
): () => LayersList {
  const { view, source, eye, points } = state;
  const spots = spotDrawings(source.manifest);
  const drawnBy = graphics();
  return () => {
    const { content } = state;
    if (!content) return [];
    const closeUp = near.look();
    state.outlined = closeUp?.outlines?.mesh;
    return viewLayers({
      source,
      view,
      graphics: drawnBy,
      choices: content.layers,
      dots: points.dots(content.rgba),
      near: closeUp,
      nuclei: closeUp?.nuclei,
      spots: content.spots && spots(content.spots, eye.box(), 2 ** eye.state.zoom),
      swipe: content.swipe,
      channels: content.channels,
      regions: content.regions,
      tileLevels: tilePixels ? levelsFor(tilePixels, eye.state.zoom) : levelsAbove(),
      tileRound: rounds.round,
      onTile: rounds.onTile,
    });
  };
}
