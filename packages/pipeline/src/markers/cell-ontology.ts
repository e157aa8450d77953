import { TYPE_TABLE } from "./type-table.ts";

/** A term of an ontology: its identifier and its label. */
export interface OntologyTerm {
  id: string;
  label: string;
}

const TERMS = Object.entries(TYPE_TABLE).flatMap(([name, row]) =>
  row.length === 3 ? [{ name, term: { id: row[1], label: row[2] } }] : [],
);
const BY_NAME = new Map([
  // References often use the ontology's own labels.
  ...TERMS.map(({ term }) => [plainName(term.label), term] as const),
  ...TERMS.map(({ name, term }) => [plainName(name), term] as const),
]);

/**
 * The Cell Ontology term for a type, by its name here or the term's label; null if the name is not a known type, such as
 * "Unknown".
 */
export function cellOntologyTerm(name: string): OntologyTerm | null {
  return BY_NAME.get(plainName(name)) ?? null;
}

/** Spellings, capitals, and plurals are treated alike. */
export function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll("tumour", "tumor")
    .replaceAll("haemato", "hemato")
    .replaceAll("fibre", "fiber")
    .replaceAll("centre", "center")
    .replace(/(?<=[a-z])s$/, "");
}
