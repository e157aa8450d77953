import type { StageSize, ViewState } from "../geometry/view-fit.ts";
import type { Box } from "../geometry/point-grid.ts";
import { turnedBack, UPRIGHT } from "../geometry/turn.ts";
import type { Camera } from "./camera.ts";
import type { Scene } from "./interface.ts";

/** Moves a camera; `onMove` is called after every move. */
export interface Steering extends Pick<Scene, "zoomBy" | "panBy" | "goTo" | "fit" | "turn"> {
  /** By the user's pointer. */
  moveTo(next: ViewState): void;
  /** The stage or the data have another size: everything fits again, unless the user moved the view. */
  resize(size: StageSize): void;
  extend(box: Box): void;
}

export function steering(eye: Camera, isPlaced: boolean, onMove: () => void): Steering {
  let touched = isPlaced;
  const look = (next: ViewState) => {
    eye.lookAt(next);
    onMove();
  };
  const moveTo = (next: ViewState) => {
    touched = true;
    look(next);
  };
  const refit = () => look(touched ? eye.state : eye.fitted());
  return {
    moveTo,
    zoomBy: (levels) => moveTo({ ...eye.state, zoom: eye.state.zoom + levels }),
    panBy(x, y) {
      const { target, zoom, turn = UPRIGHT } = eye.state;
      const unit = 2 ** zoom;
      const [across, down] = turnedBack(turn, x / unit, y / unit);
      moveTo({ target: [target[0] + across, target[1] + down, 0], zoom });
    },
    goTo({ x, y, zoom }) {
      const { target, zoom: now } = eye.state;
      if (x === target[0] && y === target[1] && zoom === now) return;
      moveTo({ target: [x, y, 0], zoom });
    },
    fit() {
      touched = false;
      refit();
    },
    turn(turn) {
      if (turn.every((part, at) => part === eye.state.turn?.[at])) return;
      eye.turnTo(turn);
      refit();
    },
    resize(size) {
      eye.resize(size);
      refit();
    },
    extend(box) {
      eye.extend(box);
      refit();
    },
  };
}
