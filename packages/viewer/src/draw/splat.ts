/** Dots of one size to be rasterized. Lengths are in pixels of the drawing, y down. */
export interface Splat {
  /** x, y of each dot, in data units. */
  xy: Float32Array;
  /** RGBA of each dot; alpha 0 is not drawn. */
  rgba: Uint8Array;
  /** The point at the center of the drawing, and the pixels per unit. */
  center: readonly [number, number];
  pxPerUnit: number;
  diameterPx: number;
  square: boolean;
  /** Rotation of squares, radians from x toward y, within ±π/4. */
  angle: number;
  /** Line width if only the edge is drawn; 0 = filled. */
  edgePx: number;
  opacity: number;
  /** Columns from ≤ x < to are drawn. */
  columns: readonly [number, number];
}

/** Below this diameter, discs cannot be distinguished from squares. */
export const DISC_FROM_PX = 2;

/**
 * Draws dots on the CPU: clears `pixels` and fills them with what a graphics card would draw for the same dots, as
 * premultiplied RGBA, row by row from the top. O(pixels + dots + pixels under dots); without a graphics card this is
 * about twenty times as fast as having WebGL draw the points one by one.
 */
export function splat(pixels: Uint32Array, width: number, height: number, dots: Splat): void {
  pixels.fill(0);
  const bounds: Bounds = {
    from: Math.max(0, Math.ceil(dots.columns[0])),
    to: Math.min(width, Math.ceil(dots.columns[1])),
    width,
    height,
  };
  const turned = dots.square && dots.angle !== 0;
  if (dots.edgePx === 0 && turned) splatTurned(pixels, bounds, dots);
  else if (dots.edgePx === 0 && (dots.square || dots.diameterPx < DISC_FROM_PX))
    splatSquares(pixels, bounds, dots);
  else splatStamps(pixels, bounds, dots);
}

interface Bounds {
  from: number;
  to: number;
  width: number;
  height: number;
}

/** A square covers the pixels whose centers it contains, so that neighbors neither leave gaps nor overlap. */
function splatSquares(pixels: Uint32Array, { from, to, width, height }: Bounds, dots: Splat): void {
  const { xy, rgba, pxPerUnit, opacity } = dots;
  const colors = wordsOf(rgba);
  const half = dots.diameterPx / 2;
  // The first pixel whose center is at or after x is ⌈x − 0.5⌉.
  const left = width / 2 - dots.center[0] * pxPerUnit - half - 0.5;
  const top = height / 2 - dots.center[1] * pxPerUnit - half - 0.5;
  for (let dot = 0; dot < colors.length; dot++) {
    const color = colors[dot]!;
    if (color >>> 24 === 0) continue;
    const x = xy[2 * dot]! * pxPerUnit + left;
    const y = xy[2 * dot + 1]! * pxPerUnit + top;
    const x0 = Math.max(from, Math.ceil(x));
    const x1 = Math.min(to, Math.ceil(x + dots.diameterPx));
    const y0 = Math.max(0, Math.ceil(y));
    const y1 = Math.min(height, Math.ceil(y + dots.diameterPx));
    if (x0 >= x1) continue;
    const strength = strengthOf(color, opacity);
    for (let row = y0; row < y1; row++) {
      const end = row * width + x1;
      if (strength === 256) for (let at = row * width + x0; at < end; at++) pixels[at] = color;
      else
        for (let at = row * width + x0; at < end; at++)
          pixels[at] = over(color, strength, pixels[at]!);
    }
  }
}

/** Draws rotated squares: in each pixel row, the span between the nearer two of the four sides. */
function splatTurned(pixels: Uint32Array, { from, to, width, height }: Bounds, dots: Splat): void {
  const { xy, rgba, pxPerUnit, opacity } = dots;
  const colors = wordsOf(rgba);
  const half = dots.diameterPx / 2;
  const [cos, sin] = [Math.cos(dots.angle), Math.sin(dots.angle)];
  const slope = Math.abs(sin);
  const reach = half * (cos + slope);
  const left = width / 2 - dots.center[0] * pxPerUnit - 0.5;
  const top = height / 2 - dots.center[1] * pxPerUnit - 0.5;
  for (let dot = 0; dot < colors.length; dot++) {
    const color = colors[dot]!;
    if (color >>> 24 === 0) continue;
    const x = xy[2 * dot]! * pxPerUnit + left;
    const y = xy[2 * dot + 1]! * pxPerUnit + top;
    if (x + reach < from || x - reach >= to) continue;
    const strength = strengthOf(color, opacity);
    const y1 = Math.min(height, Math.ceil(y + reach));
    for (let row = Math.max(0, Math.ceil(y - reach)); row < y1; row++) {
      const down = row - y;
      // |dx cos + down sin| ≤ half and |down cos − dx sin| ≤ half.
      const along = (-down * sin) / cos;
      const across = (down * cos) / sin;
      const start = Math.max(along - half / cos, across - half / slope);
      const end = Math.min(along + half / cos, across + half / slope);
      const x1 = row * width + Math.min(to, Math.ceil(x + end));
      for (let at = row * width + Math.max(from, Math.ceil(x + start)); at < x1; at++)
        pixels[at] = strength === 256 ? color : over(color, strength, pixels[at]!);
    }
  }
}

/** Discs, and edges of discs and squares, copied from a few prerendered stamps. */
function splatStamps(pixels: Uint32Array, { from, to, width, height }: Bounds, dots: Splat): void {
  const { xy, rgba, pxPerUnit, opacity } = dots;
  const colors = wordsOf(rgba);
  const angle = dots.square ? dots.angle : 0;
  const { side, reach, phases, strengths } = stamps(
    dots.diameterPx,
    dots.square,
    dots.edgePx,
    angle,
  );
  const left = width / 2 - dots.center[0] * pxPerUnit - reach;
  const top = height / 2 - dots.center[1] * pxPerUnit - reach;
  for (let dot = 0; dot < colors.length; dot++) {
    const color = colors[dot]!;
    if (color >>> 24 === 0) continue;
    const x = xy[2 * dot]! * pxPerUnit + left;
    const y = xy[2 * dot + 1]! * pxPerUnit + top;
    if (x + side <= from || x >= to || y + side <= 0 || y >= height) continue;
    const atX = Math.floor(x);
    const atY = Math.floor(y);
    const phase = Math.floor((y - atY) * phases) * phases + Math.floor((x - atX) * phases);
    const x0 = Math.max(from, atX);
    const x1 = Math.min(to, atX + side);
    const y1 = Math.min(height, atY + side);
    const strength = strengthOf(color, opacity);
    for (let row = Math.max(0, atY); row < y1; row++) {
      let ofStamp = (phase * side + row - atY) * side + x0 - atX;
      for (let column = x0; column < x1; column++) {
        const covered = strengths[ofStamp++]!;
        if (covered === 0) continue;
        const at = row * width + column;
        const here = covered === 256 ? strength : (covered * strength) >> 8;
        pixels[at] = here === 256 ? color : over(color, here, pixels[at]!);
      }
    }
  }
}

interface Stamps {
  /** Side length of a stamp, pixels. */
  side: number;
  /** Distance from a stamp's left and top edges to the dot's center, excluding its subpixel offset. */
  reach: number;
  /** Number of subpixel positions distinguished in x and in y. */
  phases: number;
  /** Coverage of each pixel, 0–256: phases² stamps of side² pixels. */
  strengths: Uint16Array;
}

/** Larger dots snap to whole pixels: the difference is invisible, and their stamps would be slow to render. */
const PHASES_UP_TO_PX = 24;
let lastStamps: { of: string; made: Stamps } | undefined;

function stamps(diameterPx: number, square: boolean, edgePx: number, angle: number): Stamps {
  const of = `${diameterPx} ${square} ${edgePx} ${angle}`;
  if (lastStamps?.of === of) return lastStamps.made;
  const phases = diameterPx <= PHASES_UP_TO_PX ? 4 : 1;
  const reach = (diameterPx / 2) * (Math.abs(Math.cos(angle)) + Math.abs(Math.sin(angle)));
  const side = Math.ceil(2 * reach) + 1;
  const strengths = new Uint16Array(phases * phases * side * side);
  let at = 0;
  for (let phase = 0; phase < phases * phases; phase++) {
    const middleX = reach + ((phase % phases) + 0.5) / phases;
    const middleY = reach + (Math.floor(phase / phases) + 0.5) / phases;
    for (let row = 0; row < side; row++) {
      for (let column = 0; column < side; column++) {
        const covered = coverage(
          column + 0.5 - middleX,
          row + 0.5 - middleY,
          diameterPx,
          square,
          edgePx,
          angle,
        );
        strengths[at++] = Math.round(256 * covered);
      }
    }
  }
  lastStamps = { of, made: { side, reach, phases, strengths } };
  return lastStamps.made;
}

/** Share of a pixel covered by a dot whose center is (x, y) away: the same rule as in DotLayer's shaders. */
export function coverage(
  x: number,
  y: number,
  diameterPx: number,
  square: boolean,
  edgePx: number,
  angle = 0,
): number {
  const [along, across] = [
    x * Math.cos(angle) + y * Math.sin(angle),
    y * Math.cos(angle) - x * Math.sin(angle),
  ];
  const far = square ? Math.max(Math.abs(along), Math.abs(across)) : Math.hypot(x, y);
  const fromEdge = diameterPx / 2 - far;
  const outer = square ? (fromEdge > 0 ? 1 : 0) : Math.min(1, Math.max(0, fromEdge + 0.5));
  return edgePx > 0 ? outer * Math.min(1, Math.max(0, edgePx - fromEdge + 0.5)) : outer;
}

/** The dots' colors as one number each, red in the lowest byte (all browser platforms are little-endian). */
function wordsOf(rgba: Uint8Array): Uint32Array {
  return new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
}

/** Effective opacity of a color, 0–256. */
function strengthOf(color: number, opacity: number): number {
  const alpha = color >>> 24;
  return alpha === 255 && opacity === 1 ? 256 : Math.round((alpha * opacity * 256) / 255);
}

/** Rounding term: half a unit for both packed components. */
const HALF = 0x800080;

/** Composites a color over a premultiplied pixel, two of the four components at a time. */
function over(color: number, strength: number, below: number): number {
  const rest = 256 - strength;
  const redBlue =
    (Math.imul(color & 0xff00ff, strength) + Math.imul(below & 0xff00ff, rest) + HALF) >>> 8;
  const greenAlpha =
    (Math.imul(((color >>> 8) & 0xff) | 0xff0000, strength) +
      Math.imul((below >>> 8) & 0xff00ff, rest) +
      HALF) >>>
    8;
  return ((redBlue & 0xff00ff) | ((greenAlpha & 0xff00ff) << 8)) >>> 0;
}
