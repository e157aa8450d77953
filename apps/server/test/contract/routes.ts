import * as contract from "@stipple/contract";
import type { Route } from "@stipple/contract";

/** All routes in the contract, by name. */
export const ROUTES: readonly (readonly [string, Route])[] = Object.entries(
  contract as Record<string, unknown>,
)
  .filter((entry): entry is [string, Route] => isRoute(entry[1]))
  .toSorted(([a], [b]) => a.localeCompare(b));

function isRoute(value: unknown): value is Route {
  return typeof value === "object" && value !== null && "method" in value && "answers" in value;
}
