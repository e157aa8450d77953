import type { Tissue } from "./marker-set.ts";

/** Types rarely found outside these tissues, although other cells there express their genes. */
const ONLY_IN: Readonly<Record<string, readonly Tissue[]>> = {
  "Hematopoietic progenitor": ["bone", "lymphoid", "liver", "placenta", "embryo"],
};
/** Types that these tissues do not contain. */
const NOT_IN: Partial<Readonly<Record<Tissue, readonly string[]>>> = {
  brain: ["Adipocyte", "Mesothelial", "Schwann cell", "Lymphatic endothelial"],
  retina: ["Adipocyte", "Mesothelial"],
};

/**
 * Whether a type found in many tissues is not considered in this one. If the tissue is unknown, all are considered.
 */
export function isOutOfPlace(name: string, tissue: Tissue | "unknown"): boolean {
  if (tissue === "unknown") return false;
  const own = Object.hasOwn(ONLY_IN, name) ? ONLY_IN[name] : undefined;
  return (own !== undefined && !own.includes(tissue)) || (NOT_IN[tissue]?.includes(name) ?? false);
}
