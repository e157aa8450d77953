import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { numbered } from "../exports/column-names.ts";
import { MIN_EXPECTED_CELLS } from "./compare-composition.ts";
import { SPATIAL_KINDS } from "./compare-in-space.ts";
import type { Comparison, TypeComparison } from "./compare-samples.ts";
import { comparisonPage } from "./comparison-page.ts";
import {
  cellsTable,
  compositionTable,
  countsTable,
  expressionTable,
  spaceTable,
  unitsTable,
} from "./comparison-tables.ts";

/** Everything that a comparison leaves for users, by file name. */
export function* comparisonFiles(
  comparison: Comparison,
): Generator<{ name: string; text: string }> {
  yield { name: "report.html", text: comparisonPage(comparison) };
  yield { name: "composition.csv", text: compositionTable(comparison) };
  for (const { name, type } of comparedTypes(comparison)) {
    yield { name: `de_${name}.csv`, text: expressionTable(comparison, type) };
    yield { name: `pseudobulk_${name}.csv`, text: countsTable(comparison, type) };
  }
  for (const space of comparison.space) {
    if ("refusal" in space) continue;
    yield { name: `space_${space.kind}.csv`, text: spaceTable(comparison, space) };
  }
  yield { name: "units.csv", text: unitsTable(comparison) };
  yield { name: "cells.csv", text: cellsTable(comparison) };
  yield { name: "repeat.R", text: repeatScript(comparison) };
}

/** Writes a comparison's tables, its report, and the R code that repeats it, in the place of an earlier one. */
export async function writeComparison(folder: string, comparison: Comparison): Promise<void> {
  await mkdir(folder, { recursive: true });
  await removeTables(folder);
  for (const { name, text } of comparisonFiles(comparison)) {
    await writeFile(join(folder, name), text);
  }
}

/** Removes tables that an earlier comparison may have left of types and statistics that the next one lacks. */
async function removeTables(folder: string): Promise<void> {
  const names = await readdir(folder);
  const left = names.filter((name) => {
    const type = /^(?:de|pseudobulk)_(.+\.csv)$/.exec(name)?.[1];
    // A table without the other is not from here.
    if (type) return names.includes(`de_${type}`) && names.includes(`pseudobulk_${type}`);
    return SPATIAL_KINDS.some((kind) => name === `space_${kind}.csv`);
  });
  for (const name of left) await rm(join(folder, name));
}

/** R code that repeats a comparison from the tables next to it with edgeR and limma. */
export function repeatScript(comparison: Comparison): string {
  const { groups, design, space } = comparison;
  const formula = (terms: readonly string[]): string => `~ ${terms.join(" + ")}`;
  return `# Repeats this comparison from the tables in this folder: Rscript repeat.R
library(edgeR) # loads limma

units <- read.csv("units.csv", colClasses = "character", na.strings = character(), row.names = "unit")
# An apostrophe keeps spreadsheets from running text that begins with =, +, - or @ as a formula.
units[] <- lapply(units, function(values) sub("^'('*[=+@-])", "\\\\1", values))
units$condition <- factor(units$condition, levels = c(${groups.map(text).join(", ")}))

# Composition: log odds of each type's share, patients as units.
compared <- units[units$compared == "1", ]
cells <- as.matrix(read.csv("cells.csv", row.names = "unit", check.names = FALSE))[rownames(compared), , drop = FALSE]
total <- rowSums(cells)
share <- colMeans(cells / total)
isExpected <- pmin(share, 1 - share) * min(total) >= ${MIN_EXPECTED_CELLS}
composition <- do.call(rbind, lapply(colnames(cells)[isExpected], function(type) {
  compared$y <- log((cells[, type] + 0.5) / (total - cells[, type] + 0.5))
  fit <- lm(y ${formula(design.terms)}, compared)
  data.frame(cell_type = type, t(summary(fit)$coefficients[2, ]), t(confint(fit)[2, ]), check.names = FALSE)
}))
composition$fdr <- p.adjust(composition[["Pr(>|t|)"]], "BH")
print(composition)

# Expression: summed observed counts of each type, and of all cells.
compare <- function(name, formula) {
  table <- read.csv(paste0("pseudobulk_", name, ".csv"), check.names = FALSE)
  counts <- as.matrix(table[, -(1:2)])
  rownames(counts) <- table$gene_id
  design <- model.matrix(formula, droplevels(units[colnames(counts), ]))
  design <- design[, qr(design)$pivot[seq_len(qr(design)$rank)]]
  y <- DGEList(counts, genes = table[, 1:2])
  y <- y[filterByExpr(y, design), , keep.lib.sizes = FALSE]
  y <- calcNormFactors(y)
  fit <- eBayes(lmFit(voom(y, design), design))
  topTable(fit, coef = 2, number = Inf, sort.by = "P", confint = TRUE)
}
${comparedTypes(comparison)
  .map(({ name, type }) => `print(head(compare(${text(name)}, ${formula(type.design.terms)})))`)
  .join("\n")}

# Spatial statistics of each sample: one value for each unit.
compare_space <- function(name) {
  table <- read.csv(paste0("space_", name, ".csv"), check.names = FALSE, row.names = "name")
  values <- as.matrix(table[, rownames(compared), drop = FALSE])
  design <- model.matrix(${formula(design.terms)}, droplevels(compared))
  design <- design[, qr(design)$pivot[seq_len(qr(design)$rank)]]
  topTable(eBayes(lmFit(values, design)), coef = 2, number = Inf, sort.by = "P", confint = TRUE)
}
${space.flatMap((one) => ("refusal" in one ? [] : [`print(head(compare_space(${text(one.kind)})))`])).join("\n")}
`;
}

/** The types whose genes were compared, and their names as parts of file names. */
function comparedTypes({ expression }: Comparison) {
  const types = expression.filter(
    (type): type is Extract<TypeComparison, { genes: unknown }> => !("refusal" in type),
  );
  const names = numbered(types.map(({ type }) => fileName(type)));
  return types.map((type, i) => ({ name: names[i], type }));
}

function fileName(type: string): string {
  const plain = type
    .replaceAll("+", "plus")
    .replaceAll(/[^\p{L}\p{N}.-]+/gu, "_")
    .replaceAll(/^[_.]+|_+$/g, "");
  return plain || "type";
}

function text(value: string): string {
  return JSON.stringify(value);
}
