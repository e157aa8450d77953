import { MARKER_SETS } from "@stipple/pipeline/cell-types";

/** Synonyms for the simulator's types. Compared in lowercase, without plurals and hyphens. */
const SYNONYMS: Record<string, readonly string[]> = {
  "Tumor epithelial": [
    "tumour",
    "tumor",
    "tumour cell",
    "tumor cell",
    "tumor epithelial",
    "cancer cell",
    "cancer epithelial",
    "malignant epithelial",
  ],
  "Luminal epithelial": ["luminal", "luminal epithelial cell", "luminal progenitor"],
  Myoepithelial: ["myoepithelial cell", "basal", "basal epithelial", "basal myoepithelial"],
  Fibroblast: ["cancer associated fibroblast"],
  Endothelial: ["endothelial cell", "vascular endothelial", "lymphatic endothelial"],
  "Smooth muscle": ["smooth muscle cell", "vascular smooth muscle"],
  "T cell": ["t lymphocyte"],
  "B cell": ["b lymphocyte"],
  "Plasma cell": ["plasma", "plasmablast"],
  "Excitatory neuron": ["glutamatergic neuron"],
  "Inhibitory neuron": ["gabaergic neuron", "interneuron", "medium spiny neuron"],
  OPC: ["oligodendrocyte precursor", "oligodendrocyte precursor cell"],
  Microglia: ["microglial cell"],
  Pericyte: ["mural cell"],
  Ependymal: ["ependymal cell"],
};

/**
 * Types that a coarser typing may merge under one name: counted right for each of them if there is no finer
 * name.
 */
const COARSE: Record<string, readonly string[]> = {
  epithelial: ["Tumor epithelial", "Luminal epithelial"],
  neuron: ["Excitatory neuron", "Inhibitory neuron"],
  lymphocyte: ["T cell", "B cell"],
};

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[-_/()+,]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/s$/, "");
}

/** Maps each narrower type of the typing (CD4 T cell) to its broader type (T cell). */
const WIDER = new Map(
  MARKER_SETS.flatMap(({ name, parent }) =>
    parent === undefined ? [] : [[name, parent] as const],
  ),
);

/**
 * Maps predicted type names to true type names. A narrower type counts as its broader one. A name that covers
 * several true types, none of which is among the predictions (epithelial, neuron, lymphocyte), merges them:
 * `classOf` then puts truth and prediction in the same class. Names that match no true type become null and
 * count as misses.
 */
export function alignTypeNames(
  trueTypes: readonly string[],
  predictedNames: readonly string[],
): { predicted: Map<string, string | null>; classOf: Map<string, string> } {
  const classOf = new Map(trueTypes.map((type) => [type, type]));
  const named = new Set(predictedNames.map((name) => trueType(name, trueTypes)));
  const predicted = new Map<string, string | null>();
  for (const name of predictedNames) {
    const group = COARSE[plain(name).replace(/ cell$/, "")] ?? [];
    const joined = group.filter((type) => trueTypes.includes(type));
    if (joined.length > 1 && joined.every((type) => !named.has(type))) {
      for (const type of joined) classOf.set(type, name);
      predicted.set(name, name);
    } else {
      predicted.set(name, trueType(name, trueTypes) ?? null);
    }
  }
  return { predicted, classOf };
}

/** The true type that a name refers to, if any. */
function trueType(name: string, trueTypes: readonly string[]): string | undefined {
  const own = trueTypes.find(
    (type) => plain(type) === plain(name) || (SYNONYMS[type] ?? []).includes(plain(name)),
  );
  const wider = WIDER.get(name);
  return own ?? (wider === undefined ? undefined : trueType(wider, trueTypes));
}
