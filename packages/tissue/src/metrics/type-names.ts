/** Ways in which a typing may name the simulator's types. Compared in lower case, without plural and hyphens. */
const SYNONYMS: Record<string, readonly string[]> = {
  "Tumour epithelial": [
    "tumour",
    "tumor",
    "tumour cell",
    "tumor cell",
    "tumor epithelial",
    "cancer epithelial",
    "cancer cell",
    "malignant",
    "malignant epithelial",
    "carcinoma",
    "tumour epithelial cell",
    "epithelial tumor",
    "epithelial tumour",
    "luminal hormone responsive",
    "luminal hr",
    "luminal mature",
  ],
  "Luminal epithelial": [
    "luminal",
    "luminal progenitor",
    "luminal epithelial cell",
    "luminal secretory",
    "epithelial",
    "epithelial cell",
    "glandular epithelial",
    "ductal epithelial",
  ],
  Myoepithelial: [
    "basal",
    "basal epithelial",
    "basal myoepithelial",
    "myoepithelial cell",
    "basal cell",
    "myoepithelial basal",
  ],
  Fibroblast: ["stromal", "stromal cell", "stroma", "caf", "cancer associated fibroblast"],
  Endothelial: ["endothelial cell", "vascular endothelial", "endothelium", "vascular"],
  "Smooth muscle": [
    "smooth muscle cell",
    "pericyte",
    "mural",
    "mural cell",
    "smc",
    "perivascular",
    "perivascular like",
    "vascular smooth muscle",
  ],
  "T cell": [
    "t lymphocyte",
    "cd4 t cell",
    "cd8 t cell",
    "t",
    "t nk cell",
    "t and nk cell",
    "cytotoxic t cell",
  ],
  "B cell": ["b lymphocyte", "b"],
  "Plasma cell": ["plasma", "plasmablast"],
  Macrophage: ["myeloid", "myeloid cell", "monocyte macrophage", "macrophage monocyte", "monocyte"],
  "Excitatory neuron": ["glutamatergic neuron", "glutamatergic", "excitatory"],
  "Inhibitory neuron": ["gabaergic neuron", "gabaergic", "inhibitory", "interneuron"],
  Astrocyte: ["astroglia"],
  Oligodendrocyte: ["oligo", "mature oligodendrocyte"],
  OPC: [
    "oligodendrocyte precursor",
    "oligodendrocyte precursor cell",
    "oligodendrocyte progenitor",
    "polydendrocyte",
  ],
  Microglia: ["microglial cell", "microglia macrophage"],
  Pericyte: ["mural", "mural cell", "vascular smooth muscle", "smooth muscle cell"],
  Ependymal: ["ependymal cell", "ependyma"],
};

/** Types that a coarser typing may join under one name: counted right for each of them when it has no finer name. */
const COARSE: Record<string, readonly string[]> = {
  epithelial: ["Tumour epithelial", "Luminal epithelial"],
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

/**
 * How predicted type names read as true type names. A name that stands for several true types none of which has a
 * name of its own among the predictions (epithelial, neuron, lymphocyte) joins them: `classOf` then gives both the
 * truth and the prediction one class. Names that fit no true type become null and count as misses.
 */
export function alignTypeNames(
  trueTypes: readonly string[],
  predictedNames: readonly string[],
): { predicted: Map<string, string | null>; classOf: Map<string, string> } {
  const classOf = new Map(trueTypes.map((type) => [type, type]));
  const exact = (name: string): string | undefined =>
    trueTypes.find(
      (type) => plain(type) === plain(name) || (SYNONYMS[type] ?? []).includes(plain(name)),
    );
  const named = new Set(predictedNames.map((name) => namedType(name, trueTypes)));
  const predicted = new Map<string, string | null>();
  for (const name of predictedNames) {
    const joined = (COARSE[plain(name).replace(/ cell$/, "")] ?? []).filter((type) =>
      trueTypes.includes(type),
    );
    if (joined.length > 1 && joined.every((type) => !named.has(type))) {
      for (const type of joined) classOf.set(type, name);
      predicted.set(name, name);
    } else {
      predicted.set(name, exact(name) ?? null);
    }
  }
  return { predicted, classOf };
}

/** The true type that a name means without being a coarse name. */
function namedType(name: string, trueTypes: readonly string[]): string | undefined {
  if (plain(name).replace(/ cell$/, "") in COARSE) return undefined;
  return trueTypes.find(
    (type) => plain(type) === plain(name) || (SYNONYMS[type] ?? []).includes(plain(name)),
  );
}
