import { determinant, fitSection, moved, type Affine } from "@stipple/contract/affine";
import type { Place } from "../choices.ts";
import { nearestTurn, UPRIGHT, type Turn } from "./turn.ts";

/** A section next to others: the middle of its image in drawing units, and how large these are. */
export interface LinkedSection {
  id: string;
  middle: readonly [number, number];
  umPerUnit: number;
}

/** The same places on two sections: x, y in the first one's drawing units, then in the second one's. */
export interface SectionLandmarks {
  between: readonly [string, string];
  points: readonly (readonly [number, number, number, number])[];
}

/** What all linked sections look at, in common µm. */
export interface CommonPlace {
  x: number;
  y: number;
  /** Common µm per CSS px. */
  umPerPx: number;
}

/** From a section's drawing units to common µm and back. */
export interface SectionMap {
  to: Affine;
  from: Affine;
  /** Common µm per drawing unit: the mean of both axes. */
  scale: number;
  /** How it is turned to lie like the one that its landmarks lead to. */
  turn: Turn;
  /** Id of that one; of a section without landmarks its own. */
  on: string;
}

/**
 * How each section lies relative to the others. Without landmarks, the middles of all coincide, at their own scale. A
 * section whose landmarks link it to one that is already placed, directly or through others, is placed and turned by
 * them. O(sections · landmarks).
 */
export function sectionMaps(
  sections: readonly LinkedSection[],
  landmarks: readonly SectionLandmarks[],
): Map<string, SectionMap> {
  const placed = new Map<string, SectionMap>();
  for (const root of sections) {
    if (placed.has(root.id)) continue;
    const { middle, umPerUnit: um } = root;
    placed.set(root.id, {
      ...sectionMap([um, 0, -um * middle[0], 0, um, -um * middle[1]], root.id),
      turn: UPRIGHT,
    });
    const next = [root.id];
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      for (const { between, points } of landmarks) {
        const other = between[0] === id ? between[1] : between[1] === id ? between[0] : undefined;
        if (other === undefined || placed.has(other)) continue;
        if (!sections.some((one) => one.id === other)) continue;
        const [own, others] = [
          points.flatMap(([x, y]) => [x, y]),
          points.flatMap((p) => [p[2], p[3]]),
        ];
        const map = between[0] === id ? fitSection(others, own) : fitSection(own, others);
        if (!map || determinant(map) === 0) continue;
        placed.set(other, sectionMap(after(map, placed.get(id)!.to), root.id));
        next.push(other);
      }
    }
  }
  return placed;
}

export function toCommon({ to, scale }: SectionMap, { x, y, zoom }: Place): CommonPlace {
  const [u, v] = moved(to, x, y);
  return { x: u, y: v, umPerPx: scale / 2 ** zoom };
}

export function fromCommon({ from, scale }: SectionMap, { x, y, umPerPx }: CommonPlace): Place {
  const [u, v] = moved(from, x, y);
  return { x: u, y: v, zoom: Math.log2(scale / umPerPx) };
}

function sectionMap(to: Affine, on: string): SectionMap {
  const [a, b, , d, e] = to;
  const scale = Math.sqrt(Math.abs(determinant(to)));
  return { to, from: inverse(to), scale, turn: nearestTurn([a, b, d, e]), on };
}

/** The map that moves by `first`, then by `second`. */
function after(first: Affine, second: Affine): Affine {
  const [a, b, c, d, e, f] = first;
  const [p, q, r, s, t, u] = second;
  return [
    p * a + q * d,
    p * b + q * e,
    p * c + q * f + r,
    s * a + t * d,
    s * b + t * e,
    s * c + t * f + u,
  ];
}

function inverse(map: Affine): Affine {
  const [a, b, c, d, e, f] = map;
  const det = determinant(map);
  return [e / det, -b / det, (b * f - c * e) / det, -d / det, a / det, (c * d - a * f) / det];
}
