import { cellOntologyTerm, type OntologyTerm } from "../../markers/cell-ontology.ts";

/** Fields of the CELLxGENE schema, version 7.1.0, that are known for a sample. Unknown fields are left out. */
export interface CellxgeneFields {
  /** Categorical columns of obs. */
  obs: { name: string; codes: Int32Array; categories: string[] }[];
  uns: Record<string, string>;
}

export interface CellxgeneSample {
  title: string;
  assay: OntologyTerm;
  organism: OntologyTerm | null;
  /** Null unless the user specified it. */
  tissue: OntologyTerm | null;
  typeOf: Int32Array;
  typeNames: readonly string[];
}

/** Taxa by the names used in settings and typing. */
export const ORGANISMS: Readonly<Record<string, OntologyTerm>> = {
  human: { id: "NCBITaxon:9606", label: "Homo sapiens" },
  mouse: { id: "NCBITaxon:10090", label: "Mus musculus" },
};

/** Terms of the Experimental Factor Ontology (3.90.0). */
export const ASSAYS = {
  spatial: { id: "EFO:0008994", label: "spatial transcriptomics" },
  visium: { id: "EFO:0010961", label: "Visium Spatial Gene Expression" },
  /** The only Visium array with more than 128 columns. */
  visium11mm: { id: "EFO:0022860", label: "Visium CytAssist Spatial Gene Expression, 11mm" },
  visiumHd: { id: "EFO:0920058", label: "Visium HD" },
} as const satisfies Record<string, OntologyTerm>;

/**
 * The fields as the schema names them. The organism is in uns, where the schema has had it since 6.0. `cell_type` keeps
 * our own names, with the ontology's next to them.
 */
export function cellxgeneFields(sample: CellxgeneSample): CellxgeneFields {
  const { assay, organism, tissue, typeOf, typeNames } = sample;
  const terms = typeNames.map((name) => cellOntologyTerm(name));
  const constant = (name: string, value: string): CellxgeneFields["obs"][number] => ({
    name,
    codes: new Int32Array(typeOf.length),
    categories: [value],
  });
  return {
    obs: [
      perType("cell_type_ontology_term_id", typeOf, (type) => terms[type]?.id),
      perType("cell_type_ontology_label", typeOf, (type) => terms[type]?.label),
      constant("assay_ontology_term_id", assay.id),
      constant("assay", assay.label),
      constant("suspension_type", "na"),
      ...(tissue
        ? [
            constant("tissue_ontology_term_id", tissue.id),
            constant("tissue", tissue.label),
            constant("tissue_type", "tissue"),
          ]
        : []),
    ],
    uns: {
      title: sample.title,
      ...(organism && {
        organism_ontology_term_id: organism.id,
        organism: organism.label,
      }),
    },
  };
}

/** A column whose value follows from a cell's type; "unknown", the schema's term, if there is none. */
function perType(
  name: string,
  typeOf: Int32Array,
  valueOf: (type: number) => string | undefined,
): CellxgeneFields["obs"][number] {
  const codes = new Map<string, number>();
  const column = typeOf.map((type) => {
    const value = valueOf(type) ?? "unknown";
    const code = codes.get(value) ?? codes.size;
    codes.set(value, code);
    return code;
  });
  return { name, codes: column, categories: [...codes.keys()] };
}
