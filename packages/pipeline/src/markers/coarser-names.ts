/** The broad class of a lineage, for cells that cannot be named more precisely. */
const CLASS_OF: Readonly<Record<string, string>> = {
  Lymphocyte: "Immune",
  Myeloid: "Immune",
  Progenitor: "Immune",
  Megakaryocyte: "Immune",
  Neuron: "Neural",
  Glia: "Neural",
};

/** What a type of this lineage may be called if its own name lacks support, from narrow to broad. */
export function coarserNames(name: string, lineage: string): string[] {
  const broad = CLASS_OF[lineage];
  return [lineage, ...(broad === undefined ? [] : [broad])].filter((wider) => wider !== name);
}
