import type { Tissue } from "./marker-set.ts";

/** Types that are hardly found outside these tissues, though their genes are expressed by other cells there. */
const ONLY_IN: Readonly<Record<string, readonly Tissue[]>> = {
  "Hematopoietic progenitor": ["bone", "lymphoid", "liver", "placenta", "embryo"],
};
/** Types that these tissues do not hold. */
const NOT_IN: Partial<Readonly<Record<Tissue, readonly string[]>>> = {
  brain: ["Adipocyte", "Mesothelial", "Schwann cell", "Lymphatic endothelial"],
  retina: ["Adipocyte", "Mesothelial"],
};

/** Whether a type that is found in many tissues is not looked for in this one. Where the tissue is not known, all are. */
export function isOutOfPlace(name: string, tissue: Tissue | "unknown"): boolean {
  if (tissue === "unknown") return false;
  const own = Object.hasOwn(ONLY_IN, name) ? ONLY_IN[name] : undefined;
  return (own !== undefined && !own.includes(tissue)) || (NOT_IN[tissue]?.includes(name) ?? false);
}
