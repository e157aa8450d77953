import type { Place } from "../choices.ts";
import type { StageSize, ViewState } from "../geometry/view-fit.ts";
import type { Box } from "../geometry/point-grid.ts";
import type { Camera } from "./camera.ts";

/** Moves a camera; `onMove` is called after every move. */
export interface Steering {
  /** By the user's pointer. */
  moveTo(next: ViewState): void;
  zoomBy(levels: number): void;
  /** By screen pixels. */
  panBy(x: number, y: number): void;
  goTo(place: Place): void;
  fit(): void;
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
      const { target, zoom } = eye.state;
      const unit = 2 ** zoom;
      moveTo({ target: [target[0] + x / unit, target[1] + y / unit, 0], zoom });
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
