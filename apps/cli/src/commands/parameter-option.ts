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
  return changed(before, [step, ...path.split(".")], valueOf(value)) as StepParameters;
}

/** A copy with the value at a path. Whatever is in the way is replaced. */
function changed(before: unknown, [name, ...rest]: string[], value: unknown): object {
  const known = typeof before === "object" && before !== null ? Object.entries(before) : [];
  const all = new Map<string, unknown>(known);
  all.set(name, rest.length === 0 ? value : changed(all.get(name), rest, value));
  return Object.fromEntries(all);
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
