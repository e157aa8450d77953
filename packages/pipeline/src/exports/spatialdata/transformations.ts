/** Axes of an element as named in its metadata, without units: SpatialData has none. */
export function axesOf(names: readonly string[]): { name: string; type: string }[] {
  return names.map((name) => ({ name, type: name === "c" ? "channel" : "space" }));
}

/**
 * Maps an element to the two coordinate systems of the object: by `scale` (one factor per axis) to "global",
 * full-resolution pixels, and from there to "microns".
 */
export function transformations(
  names: readonly string[],
  scale: readonly number[],
  micronsPerPixel: number,
): object[] {
  const axes = axesOf(names).map((axis) =>
    axis.type === "space" ? { ...axis, unit: "unit" } : axis,
  );
  const to = (name: string, factors: readonly number[]): object => ({
    type: "scale",
    scale: factors,
    input: { name: names.join(""), axes },
    output: { name, axes },
  });
  return [
    to("global", scale),
    to(
      "microns",
      scale.map((factor, axis) => (names[axis] === "c" ? 1 : factor * micronsPerPixel)),
    ),
  ];
}
