/** A region drawn on the image, in full-resolution pixels. */
export interface DrawnRegion {
  name: string;
  /** Its class in QuPath, such as "Tumor"; null without one. */
  kind: string | null;
  /** "#rrggbb", or null if none is given. */
  color: string | null;
  /** Each polygon is its outline followed by its holes: x and y alternating, the last point joined to the first. */
  polygons: Float64Array[][];
  /** QuPath's object that it was read from. */
  object?: QuPathObject;
  /** Of one that was drawn in the view. */
  signed?: RegionAuthor;
}

/** Who drew a region or changed it last; other programs keep it as `properties.signed`. */
export interface RegionAuthor {
  /** Not an address: files are passed on. Null if unknown. */
  author: string | null;
  /** ISO 8601 */
  at: string;
}

/** What QuPath's objects have besides, kept so that they return unchanged. */
export interface QuPathObject {
  /** UUID */
  id?: string | undefined;
  isLocked?: boolean | undefined;
}

/** Size of the image on which regions are drawn, full-resolution pixels. */
export interface DrawnImage {
  width: number;
  height: number;
}

/** Gets what is wrong, as the end of a sentence that begins with the file's name. */
export type FailRegions = (what: string, cause?: unknown) => never;
