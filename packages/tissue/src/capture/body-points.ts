/** Number of points used to sample how a cell's body is distributed. */
export const BODY_POINTS = 64;

const TURN = Math.PI * (3 - Math.sqrt(5));

/** Sunflower points, which cover the unit disk evenly. */
export const BODY_X = Float64Array.from(
  { length: BODY_POINTS },
  (_, i) => Math.sqrt((i + 0.5) / BODY_POINTS) * Math.cos(i * TURN),
);
export const BODY_Y = Float64Array.from(
  { length: BODY_POINTS },
  (_, i) => Math.sqrt((i + 0.5) / BODY_POINTS) * Math.sin(i * TURN),
);
