# Writes measures.json, what limma finds in measures made here: Rscript measures.R > measures.json
library(limma)
library(jsonlite)
set.seed(11)
units <- data.frame(
  condition = rep(c("normal", "tumor"), each = 4),
  patient = c("P1", "P2", "P3", "P4", "P2", "P1", "P4", "P3"),
  batch = c("x", "x", "y", "y", "y", "x", "x", "y")
)
values <- t(sapply(1:30, function(i) rnorm(8, 0, sqrt(0.02 / rgamma(1, 4, 4))) + ifelse(units$condition == "tumor" & i <= 5, 0.4, 0)))
designs <- list(groups = ~condition, paired = ~ condition + patient, batch = ~ condition + batch)
cat(toJSON(list(
  versions = list(R = as.character(getRversion()), limma = as.character(packageVersion("limma"))),
  units = units, values = values,
  expected = lapply(designs, function(formula) {
    top <- topTable(eBayes(lmFit(values, model.matrix(formula, units))), coef = 2, number = Inf, sort.by = "none", confint = TRUE)
    list(difference = top$logFC, low = top$CI.L, high = top$CI.R, t = top$t, p = top$P.Value, fdr = top$adj.P.Val)
  })
), auto_unbox = TRUE, digits = I(8), dataframe = "columns"))
cat("\n")
