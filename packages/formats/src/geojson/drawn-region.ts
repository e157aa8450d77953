/** A region drawn on the image, in full-resolution pixels. */
export interface DrawnRegion {
  name: string;
  /** Its class in QuPath, such as "Tumor"; null without one. */
  kind: string | null;
  /** "#rrggbb", or null if none is given. */
  color: string | null;
  /** Each polygon is its outline followed by its holes: x and y alternating, the last point joined to the first. */
  polygons: Float64Array[][];
  /** Of one that was read from a file. */
  imported?: ImportedRegion;
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

/** The objects of a file that a region was made of, so that they return as they were, and what it was called then. */
export interface ImportedRegion extends Pick<DrawnRegion, "name" | "kind" | "color"> {
  objects: readonly ImportedObject[];
}

/** An object of GeoJSON, without its coordinates. */
export interface ImportedObject {
  /** Number of the region's polygons that are its own; objects are in the order of polygons. */
  polygons: number;
  id?: string | undefined;
  /** Its geometry's other members: the type, and QuPath's isEllipse and plane. */
  geometry?: Record<string, unknown> | undefined;
  /** Name, class, lock, measurements, metadata; those of the object before it where they are left out. */
  properties?: Record<string, unknown> | undefined;
}

/** Size of the image on which regions are drawn, full-resolution pixels. */
export interface DrawnImage {
  width: number;
  height: number;
}

/** Gets what is wrong, as the end of a sentence that begins with the file's name. */
export type FailRegions = (what: string, cause?: unknown) => never;
