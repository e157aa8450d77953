import { hash } from "node:crypto";
import { shortened } from "@stipple/contract/shortened";
import { ApiError } from "../http/api-error.ts";
import { isOneLine } from "../http/one-line.ts";

interface AskedSample {
  project_id: string | null;
  name: string;
  condition: string;
  patient: string;
  batch: string;
  more: Record<string, string>;
}

/** A study's design as it was sent. */
export interface AskedDesign {
  columns: readonly string[];
  samples: readonly AskedSample[];
}

/** Equal for equal designs. Projects are named elsewhere. */
export function designVersion({ columns, samples }: AskedDesign): string {
  const rows = samples.map(({ project_id: id, name, condition, patient, batch, more }) => [
    ...[id, id === null ? name : "", condition, patient, batch],
    ...columns.map((column) => cellOf(more, column)),
  ]);
  return hash("sha256", JSON.stringify([columns, rows]), "base64url");
}

/** A column may be called "constructor". */
function cellOf(more: AskedSample["more"], column: string): string {
  return Object.hasOwn(more, column) ? more[column] : "";
}

/** Names of columns that every design has, and of the sample itself. */
const TAKEN = ["sample", "condition", "patient", "batch"];

/**
 * The rows to store. `own` holds the names of the account's projects by id. Throws invalid_request, or project_not_found
 * for a project of nobody or of someone else.
 */
export function designRows(
  { columns, samples }: AskedDesign,
  own: ReadonlyMap<string, string>,
): { columns: readonly string[]; rows: AskedSample[] } {
  for (const [at, name] of columns.entries()) {
    const isKnown = [...TAKEN, ...columns.slice(0, at)].some(
      (other) => other.toLowerCase() === name.toLowerCase(),
    );
    if (name !== "" && !isKnown && isOneLine(name)) continue;
    throw new ApiError(
      "invalid_request",
      name === ""
        ? "A column has no name: name it, or remove it."
        : isKnown
          ? `There is a column "${name}" already: give each its own name.`
          : "The name of a column must be a single line, without invisible control characters.",
    );
  }
  const seen = new Set<string>();
  const rows = samples.map((sample) => {
    const { project_id: id, condition, patient, batch } = sample;
    const more = Object.fromEntries(columns.map((name) => [name, cellOf(sample.more, name)]));
    const cells = [condition, patient, batch, ...Object.values(more)];
    // A project's own name counts while there is one.
    if (id === null) cells.push(sample.name);
    if (!cells.every(isOneLine)) {
      throw new ApiError(
        "invalid_request",
        "Each cell of the design must be a single line, without invisible control characters.",
      );
    }
    if (id === null) return { ...sample, name: shortened(sample.name, 200), more };
    const name = own.get(id);
    if (name === undefined) throw new ApiError("project_not_found");
    if (seen.has(id)) {
      throw new ApiError("invalid_request", `"${name}" is in the study twice: list it once.`);
    }
    seen.add(id);
    return { project_id: id, name, condition, patient, batch, more };
  });
  return { columns, rows };
}
