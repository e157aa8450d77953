import {
  OrthographicController,
  View,
  Viewport,
  type OrthographicViewProps,
  type OrthographicViewState,
} from "@deck.gl/core";
import { UPRIGHT, type Turn } from "../geometry/turn.ts";

interface TurnedViewProps extends OrthographicViewProps {
  turn: Turn;
}

const [NEAR, FAR] = [0.1, 1000];

/** deck.gl's orthographic viewport with y down, but the drawing may be turned and mirrored. */
class TurnedViewport extends Viewport {
  readonly turn: Turn;

  constructor({ width = 1, height = 1, target, zoom, turn, ...rest }: TurnedViewportOptions) {
    const [a, b, d, e] = turn;
    const scale = 2 ** zoom;
    super({
      ...{ ...rest, width, height, zoom, position: [...target] },
      // By columns; y of the screen is down, of the view up.
      viewMatrix: [
        ...[scale * a, -scale * d, 0, 0],
        ...[scale * b, -scale * e, 0, 0],
        ...[0, 0, scale, 0],
        ...[0, 0, -1, 1],
      ],
      projectionMatrix: [
        ...[2 / width, 0, 0, 0],
        ...[0, 2 / height, 0, 0],
        ...[0, 0, -2 / (FAR - NEAR), 0],
        ...[0, 0, -(FAR + NEAR) / (FAR - NEAR), 1],
      ],
    });
    this.turn = turn;
  }

  /** For the controller: where the middle must be for `coords` to be at a pixel. */
  override panByPosition(coords: number[], pixel: number[]): { target: [number, number] } {
    const [x, y] = this.unproject(pixel);
    const [centerX, centerY] = this.center;
    return { target: [centerX! + coords[0]! - x!, centerY! + coords[1]! - y!] };
  }
}

interface TurnedViewportOptions {
  width?: number;
  height?: number;
  target: readonly number[];
  zoom: number;
  turn: Turn;
}

/** The view of a stage: flat, and moved and zoomed by the pointer. */
export class TurnedView extends View<OrthographicViewState, TurnedViewProps> {
  static displayName = "TurnedView";

  override getViewportType() {
    return TurnedViewport as never;
  }

  override get ControllerType() {
    return OrthographicController;
  }
}

/** How what is drawn lies on the screen. */
export function turnOf(viewport: Viewport): Turn {
  return viewport instanceof TurnedViewport ? viewport.turn : UPRIGHT;
}
