import type { StepParameters } from "@stipple/pipeline/parameters";
import { InvalidArgumentError } from "commander";

/**
 * Adds one `--set <step>.<parameter>=<value>`; dots address nested parameters. A value is parsed as JSON if it is valid
 * JSON, otherwise taken as text. Throws an error that commander shows as one sentence.
 */
export function parameterOption(text: string, before: StepParameters): StepParameters {
  const match = /^([a-z-]+)\.([\w.]+)=(.*)$/s.exec(text);
  if (!match) {
    throw new InvalidArgumentError(
      "Write it as <step>.<parameter>=<value>, for example cluster-analysis.resolution=0.8; stipple steps lists them.",
    );
  }
  const [, step = "", path = "", value = ""] = match;
  const all = structuredClone(before);
  const names = path.split(".");
  const last = names.pop()!;
  let at: Record<string, unknown> = (all[step] ??= {});
  for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>;
  at[last] = valueOf(value);
  return all;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
