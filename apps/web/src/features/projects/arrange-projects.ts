import type { Project } from "@stipple/contract";
import { shownStatus } from "../../project/project-facts.ts";

type Arranged = Pick<Project, "name" | "created_at" | "status" | "waits" | "storage_expiry">;

const byName = (a: Arranged, b: Arranged): number =>
  a.name.localeCompare(b.name, "en", { numeric: true, sensitivity: "base" });
const byAge = (a: Arranged, b: Arranged): number =>
  Date.parse(a.created_at) - Date.parse(b.created_at);
const end = ({ storage_expiry }: Arranged): number =>
  storage_expiry === null ? Infinity : Date.parse(storage_expiry);

/** The orders of the list; projects that are equal in one keep the server's, newest first. */
export const PROJECT_ORDERS = {
  newest: (a, b) => byAge(b, a),
  oldest: byAge,
  name: byName,
  status: (a, b) => shownStatus(a).localeCompare(shownStatus(b)),
  // Projects that are kept forever come last; two of them differ by no number.
  expiry: (a, b) => (end(a) === end(b) ? 0 : end(a) - end(b)),
} as const satisfies Record<string, (a: Arranged, b: Arranged) => number>;

export type ProjectOrder = keyof typeof PROJECT_ORDERS;

/** The projects whose name contains every word of `search`, in an order. */
export function arrangeProjects<P extends Arranged>(
  projects: readonly P[],
  search: string,
  order: ProjectOrder,
): P[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return projects
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .toSorted(PROJECT_ORDERS[order]);
}
