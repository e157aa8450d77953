/**
 * How stored pixels must be turned to be upright, numbered as in TIFF and EXIF: 1 as they are, 2 mirrored left to
 * right, 3 upside down, 4 mirrored top to bottom, 5 transposed, 6 turned right by 90°, 7 transversed, 8 turned left.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const WORDS: Readonly<Record<Orientation, string>> = {
  1: "upright",
  2: "mirrored left to right",
  3: "upside down",
  4: "mirrored top to bottom",
  5: "rotated and mirrored",
  6: "to be rotated 90° clockwise",
  7: "rotated and mirrored",
  8: "to be rotated 90° counterclockwise",
};

/** A tag's value; anything unknown means upright. */
export function orientationOf(value: number | undefined): Orientation {
  return value !== undefined && value in WORDS ? (value as Orientation) : 1;
}

/** The tag in words: "orientation tag 6 (to be rotated 90° clockwise)". */
export function orientationWords(orientation: Orientation): string {
  return `orientation tag ${orientation} (${WORDS[orientation]})`;
}

/** Whether turning exchanges width and height. */
export function swapsSides(orientation: Orientation): boolean {
  return orientation >= 5;
}

/**
 * The place in the stored image of a place in the upright one, both as fractions of width and height from the upper
 * left corner.
 */
export function storedPlace(orientation: Orientation, u: number, v: number): [number, number] {
  switch (orientation) {
    case 1:
      return [u, v];
    case 2:
      return [1 - u, v];
    case 3:
      return [1 - u, 1 - v];
    case 4:
      return [u, 1 - v];
    case 5:
      return [v, u];
    case 6:
      return [v, 1 - u];
    case 7:
      return [1 - v, 1 - u];
    case 8:
      return [1 - v, u];
  }
}
