/** A region drawn on the image, in full-resolution pixels. */
export interface Region {
  name: string;
  /** "#rrggbb", or null if the file names none. */
  color: string | null;
  /** Each polygon is its outline followed by its holes: x and y alternating, the last point joined to the first. */
  polygons: Float64Array[][];
}
