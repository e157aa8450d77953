import { platformById } from "@stipple/contract";
import {
  ASSAYS,
  cellxgeneFields,
  ORGANISMS,
  type CellxgeneFields,
} from "../../exports/anndata/cellxgene.ts";
import type { OntologyTerm } from "../../markers/cell-ontology.ts";
import { tissueOntologyTerm } from "../../markers/tissue-ontology.ts";
import type { StepContext } from "../../step.ts";
import type { Results } from "./read-results.ts";
import { sampleNameOf } from "./spatial-slot.ts";

/** Number of columns of 6.5 mm arrays. */
const SMALL_ARRAY_COLUMNS = 128;

/** Known facts about a sample, in the terms of the CELLxGENE schema. */
export function cellxgeneOf(
  context: Pick<StepContext, "settings" | "files">,
  { cells, facts, spots }: Results,
): CellxgeneFields {
  const { tissue } = context.settings;
  return cellxgeneFields({
    title: sampleNameOf(context),
    assay: assayOf(context.settings.platform, spots.array),
    organism: ORGANISMS[facts.typing.organism ?? ""] ?? null,
    tissue: tissue === undefined ? null : tissueOntologyTerm(tissue),
    typeOf: cells.typeOf,
    typeNames: cells.typeNames,
  });
}

function assayOf(platform: StepContext["settings"]["platform"], array: Int32Array): OntologyTerm {
  const { lattice, resolutions } = platformById(platform);
  if (resolutions.length > 0) return ASSAYS.visiumHd;
  if (lattice !== "hexagonal") return ASSAYS.spatial;
  const lastColumn = array.reduce(
    (most, value, i) => (i % 2 === 1 ? Math.max(most, value) : most),
    0,
  );
  return lastColumn >= SMALL_ARRAY_COLUMNS ? ASSAYS.visium11mm : ASSAYS.visium;
}
