import { availableParallelism } from "node:os";
import { InvalidArgumentError, Option } from "commander";

/** Parses an option's number, which must lie between two bounds; the error message names them. */
export function numberBetween(
  low: number,
  high: number,
  kind: "whole" | "any" = "any",
): (text: string) => number {
  return (text) => {
    const value = text.trim() === "" ? NaN : Number(text);
    if (!(value >= low && value <= high) || (kind === "whole" && !Number.isInteger(value))) {
      const what = kind === "whole" ? "a whole number" : "a number";
      const range =
        high === Number.MAX_SAFE_INTEGER ? `of at least ${low}` : `from ${low} to ${high}`;
      throw new InvalidArgumentError(`It must be ${what} ${range}.`);
    }
    return value;
  };
}

export const seedOption = numberBetween(0, Number.MAX_SAFE_INTEGER, "whole");

const MAX_THREADS = 256;

/** --threads: all cores unless fewer are asked for. */
export function threadsOption(): Option {
  return new Option("--threads <n>", "worker threads")
    .argParser(numberBetween(1, MAX_THREADS, "whole"))
    .default(Math.min(MAX_THREADS, availableParallelism()));
}
