/** Points by which a cell's body is sampled to see how much of it lies where. */
export const BODY_POINTS = 64;

const TURN = Math.PI * (3 - Math.sqrt(5));

/** Sunflower points: they cover the unit disc evenly. */
export const BODY_X = Float64Array.from(
  { length: BODY_POINTS },
  (_, i) => Math.sqrt((i + 0.5) / BODY_POINTS) * Math.cos(i * TURN),
);
export const BODY_Y = Float64Array.from(
  { length: BODY_POINTS },
  (_, i) => Math.sqrt((i + 0.5) / BODY_POINTS) * Math.sin(i * TURN),
);
