import type { AlignmentScale, SpotMove } from "../facts.ts";
import type { Positions, Sample } from "../readers/sample.ts";
import { readAlignment } from "./read-alignment.ts";
import { determinant, moved, type Affine } from "@stipple/contract/affine";

/** The sample's spots where the user's alignment puts them, or where the files have them. */
export async function placeSpots(
  { positions, scale }: Pick<Sample, "positions" | "scale">,
  alignment: string | null | undefined,
): Promise<{ positions: Positions; scale: AlignmentScale; note: string | null }> {
  if (!alignment) return { positions, scale, note: null };
  const move = await readAlignment(alignment, positions, scale.pitchUm / scale.micronsPerPixel);
  const placed = moveSpots(positions, scale, move);
  return { ...placed, note: moveInWords(move, positions, placed.scale.micronsPerPixel) };
}

/** Positions after a move, and the scale that follows from it: the array itself keeps its size. O(spots). */
function moveSpots(
  positions: Positions,
  scale: AlignmentScale,
  move: SpotMove,
): { positions: Positions; scale: AlignmentScale } {
  const { map } = move;
  const n = positions.x.length;
  const [x, y] = [new Float64Array(n), new Float64Array(n)];
  for (let spot = 0; spot < n; spot++) {
    [x[spot], y[spot]] = moved(map, positions.x[spot], positions.y[spot]);
  }
  const growth = Math.sqrt(Math.abs(determinant(map)));
  return {
    positions: { ...positions, x, y },
    scale: {
      ...scale,
      micronsPerPixel: scale.micronsPerPixel / growth,
      residualPx: scale.residualPx === null ? null : scale.residualPx * growth,
      moved: move,
    },
  };
}

/** What a move does, for the log and the report: "turned by 1.0°, made 2.0% larger, and moved by 12.3 µm". */
function moveInWords(
  { map, fit, file, source }: SpotMove,
  { x, y }: Pick<Positions, "x" | "y">,
  micronsPerPixel: number,
): string {
  const growth = Math.sqrt(Math.abs(determinant(map)));
  const center: [number, number] = [mean(x), mean(y)];
  const there = moved(map, ...center);
  const shiftUm = Math.hypot(there[0] - center[0], there[1] - center[1]) * micronsPerPixel;
  const parts = [
    ...(determinant(map) < 0 ? ["mirrored"] : [`turned by ${turnOf(map).toFixed(1)}°`]),
    ...(Math.abs(growth - 1) < 5e-4
      ? []
      : [`made ${(100 * Math.abs(growth - 1)).toFixed(1)}% ${growth > 1 ? "larger" : "smaller"}`]),
    `moved by ${shiftUm.toFixed(1)} µm in the middle`,
  ];
  const of = source === "Loupe Browser" ? "spots" : "landmarks";
  const within = fit
    ? `; its ${fit.points.toLocaleString("en-US")} ${of} fit to within ${(fit.residualPx * micronsPerPixel).toFixed(1)} µm`
    : "";
  return `Aligned by ${file}: ${parts.join(", ")}${within}.`;
}

/** Degrees, clockwise on the image. */
function turnOf([a, b, , d, e]: Affine): number {
  return (Math.atan2(d - b, a + e) * 180) / Math.PI;
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
