/** What a tool gets from the view it is used in; positions on screen are CSS px from the view's top left corner. */
export interface ToolGround {
  /** Receives the pointer and the keys; a tool captures what it uses, the rest still moves the view. */
  readonly element: HTMLElement;
  /** A position on screen in drawing units (px of the largest tissue level, or units of the UMAP), and back. */
  toData(x: number, y: number): [number, number];
  toScreen(x: number, y: number): [number, number];
  panBy(x: number, y: number): void;
  zoomBy(levels: number): void;
}

/** A use of the pointer other than moving the view: selecting, drawing, editing, measuring. */
export interface ViewTool {
  /** The returned function ends its use and restores the view. */
  start(ground: ToolGround): () => void;
}

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
