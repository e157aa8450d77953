# Writes reference.json, what edgeR and limma find in counts made here: Rscript reference.R > reference.json
library(edgeR)
library(jsonlite)
set.seed(7)
nGenes <- 160
units <- data.frame(
  condition = rep(c("normal", "tumor"), each = 4),
  patient = c("P1", "P2", "P3", "P4", "P2", "P1", "P4", "P3"),
  batch = c("x", "x", "y", "y", "y", "x", "x", "y")
)
base <- rgamma(nGenes, 0.6, 0.6 / 60)
fold <- c(rep(2.5, 15), rep(0.4, 15), rep(1, nGenes - 30))
depth <- c(1, 0.6, 1.7, 1.1, 0.8, 2.2, 1.3, 0.7)
counts <- sapply(1:8, function(j) {
  mu <- base * depth[j] * (if (units$condition[j] == "tumor") fold else 1) * exp(rnorm(nGenes, 0, 0.25))
  rnbinom(nGenes, mu = mu, size = 8)
})
counts[160, ] <- 0
analyze <- function(design) {
  keep <- filterByExpr(counts, design)
  y <- DGEList(counts)[keep, , keep.lib.sizes = FALSE]
  y <- calcNormFactors(y)
  v <- voom(y, design)
  fit <- eBayes(lmFit(v, design))
  i <- which(colnames(design) == "conditiontumor")
  top <- topTable(fit, coef = i, number = Inf, sort.by = "none", confint = TRUE)
  list(
    keep = which(keep) - 1, factors = y$samples$norm.factors, prior = c(fit$df.prior, fit$s2.prior),
    logFC = top$logFC, low = top$CI.L, high = top$CI.R, average = top$AveExpr, t = top$t, p = top$P.Value, fdr = top$adj.P.Val
  )
}
cells <- data.frame(
  T = c(120, 80, 200, 150, 300, 280, 410, 330), B = c(90, 60, 110, 70, 20, 35, 40, 15), F = c(0, 3, 1, 2, 4, 1, 0, 2)
)
cells$other <- c(400, 500, 300, 450, 420, 380, 510, 470)
total <- rowSums(cells)
compose <- function(formula) lapply(cells, function(n) {
  units$y <- log((n + 0.5) / (total - n + 0.5))
  fit <- lm(update(formula, y ~ .), units)
  row <- summary(fit)$coefficients["conditiontumor", ]
  c(row[c(1, 3, 4)], confint(fit)["conditiontumor", ])
})
designs <- list(groups = ~condition, paired = ~ condition + patient, batch = ~ condition + batch)
cat(toJSON(list(
  versions = list(R = as.character(getRversion()), limma = as.character(packageVersion("limma")), edgeR = as.character(packageVersion("edgeR"))),
  units = units, counts = t(counts), cells = cells,
  expression = lapply(designs, function(d) analyze(model.matrix(d, units))),
  composition = lapply(designs, compose)
), auto_unbox = TRUE, digits = I(7), dataframe = "columns"))
cat("\n")
