import { categoryColors, colorDistance } from "../figures/palette.ts";
import { cellOntologyTerm, plainName } from "./cell-ontology.ts";
import { TYPE_TABLE } from "./type-table.ts";

export const UNKNOWN = "Unknown";
export const UNKNOWN_COLOR = "#C9D1DA";

const BY_NAME = new Map<string, string>();
/** By Cell Ontology class: that of its first name. */
const BY_CLASS = new Map<string, string>();
for (const [name, row] of Object.entries(TYPE_TABLE)) {
  BY_NAME.set(plainName(name), row[0]);
  if (row.length === 3 && !BY_CLASS.has(row[1])) BY_CLASS.set(row[1], row[0]);
}

/** Squared distance in OKLab below which two colors look alike. */
const ALIKE = 0.002;

/**
 * A color for each name, #RRGGBB: the color of its Cell Ontology class, which is the same in every project. A name that
 * belongs to no class (from a user's reference) gets a color chosen by its letters, or the next one that no other name
 * of the list has.
 */
export function typeColors(names: readonly string[]): string[] {
  const colors = new Map<string, string>();
  for (const name of names) {
    const color = name === UNKNOWN ? UNKNOWN_COLOR : typeColor(name);
    if (color !== null) colors.set(name, color);
  }
  const pool = [...new Set(BY_NAME.values())];
  // With hundreds of labels all colors of the pool are taken.
  let spare: string[] | undefined;
  // By name, not by size: the most frequent type of one project may be rare in the next.
  for (const name of [...names].sort()) {
    if (colors.has(name)) continue;
    const taken = [UNKNOWN_COLOR, ...colors.values()];
    const from = hashOf(name) % pool.length;
    const free = [...pool.slice(from), ...pool.slice(0, from)].find((color) =>
      taken.every((other) => colorDistance(color, other) >= ALIKE),
    );
    if (free === undefined) spare ??= categoryColors(2 * names.length + pool.length);
    colors.set(name, free ?? spare!.find((color) => !taken.includes(color))!);
  }
  return names.map((name) => colors.get(name)!);
}

/** The color of a type of the catalog, by its own name or its Cell Ontology class; null for other names. */
export function typeColor(name: string): string | null {
  const term = cellOntologyTerm(name);
  return BY_NAME.get(plainName(name)) ?? (term && BY_CLASS.get(term.id)) ?? null;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}
