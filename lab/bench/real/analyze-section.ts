import { join } from "node:path";
import { analysis, analysisSettings } from "@stipple/pipeline";
import type { Capture } from "./capture.ts";

/** Analyzes a captured section up to its types; steps whose results are there and up to date are not repeated. */
export async function analyzeSection({
  input,
  results,
  capture,
  reference,
  seed = 0,
}: {
  input: string;
  results: string;
  capture: Capture;
  reference?: string | undefined;
  seed?: number;
}): Promise<void> {
  const hd = capture !== "visium";
  const request = {
    input,
    results,
    reference,
    ...(capture === "hd2" && { fineBins: join(input, "square_002um.h5") }),
    settings: analysisSettings.parse({
      platform: hd ? "hd_visium" : "visium",
      staining: "if",
      analysisType: "basic",
      seed,
      ...(hd && { resolution: capture === "hd16" ? "16" : "8" }),
    }),
    threads: 2,
    signal: new AbortController().signal,
  };
  for (const step of await analysis.plan(null, request)) {
    if (step <= 5) await analysis.runStep(step, request);
  }
}
