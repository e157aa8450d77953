/** What a tool has drawn so far, in drawing units. */
export interface Sketch {
  /** Lines: x and y of their points. */
  paths: readonly Float64Array[];
  /** Whether each line is joined to its beginning. */
  closed: boolean;
  /** Width of the lines, of a brush; undefined = thin. */
  width?: number;
  /** x and y of points that can be dragged; the one that keys move, or −1. */
  handles?: Float64Array;
  picked?: number;
}

export interface SketchEvents {
  /** Null when nothing is being drawn. */
  onSketch(sketch: Sketch | null): void;
}
