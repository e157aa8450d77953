import type { RunChoices } from "@stipple/contract/routes/workflow";

type Parameters = RunChoices["parameters"];

const STEP = "morphological-analysis";

/** What outlines from another program are, by the parameters of a run. */
export function outlinesAre(parameters: Parameters): "cells" | "nuclei" {
  return parameters[STEP]?.["outlinesAre"] === "nuclei" ? "nuclei" : "cells";
}

/** The parameters with that changed; cells are the default, which is not kept. */
export function withOutlinesAre(parameters: Parameters, kind: "cells" | "nuclei"): Parameters {
  const { [STEP]: step = {}, ...others } = parameters;
  const { outlinesAre: _former, ...rest } = step;
  const changed = kind === "nuclei" ? { ...rest, outlinesAre: kind } : rest;
  return Object.keys(changed).length > 0 ? { ...others, [STEP]: changed } : others;
}
