import type { StepDefinition } from "../step.ts";
import { featureInitialization } from "./0-feature-initialization/step.ts";
import { opticalDecomposition } from "./1-optical-decomposition/step.ts";
import { morphologicalAnalysis } from "./2-morphological-analysis/step.ts";
import { matrixIntegration } from "./3-matrix-integration/step.ts";
import { vectorTransformation } from "./4-vector-transformation/step.ts";
import { clusterAnalysis } from "./5-cluster-analysis/step.ts";
import { projectionAnalysis } from "./6-projection-analysis/step.ts";
import { finalization } from "./7-finalization/step.ts";

/** The eight steps in order; `steps[n].number === n`. */
export const steps = [
  featureInitialization,
  opticalDecomposition,
  morphologicalAnalysis,
  matrixIntegration,
  vectorTransformation,
  clusterAnalysis,
  projectionAnalysis,
  finalization,
] as unknown as readonly StepDefinition[];
