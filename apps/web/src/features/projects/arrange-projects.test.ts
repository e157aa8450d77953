import { expect, it } from "vitest";
import { arrangeProjects, PROJECT_ORDERS, type ProjectOrder } from "./arrange-projects.ts";

const project = (
  name: string,
  day: number,
  status: "completed" | "failed",
  expiry: number | null,
) => ({
  name,
  status,
  created_at: `2026-11-0${day}T10:00:00Z`,
  storage_expiry: expiry === null ? null : `2026-12-0${expiry}T10:00:00Z`,
});
const PROJECTS = [
  project("Mouse brain 10", 3, "failed", null),
  project("mouse brain 9", 2, "completed", 2),
  project("Human liver", 1, "completed", 1),
];
const names = (search: string, order: ProjectOrder): string[] =>
  arrangeProjects(PROJECTS, search, order).map(({ name }) => name);

it("finds projects whose name has every word", () => {
  expect(names("BRAIN 9", "newest")).toEqual(["mouse brain 9"]);
  expect(names("  ", "newest")).toHaveLength(3);
  expect(names("kidney", "newest")).toEqual([]);
});

it("sorts by age, name, status, and remaining time, with what is kept forever last", () => {
  const first = (order: ProjectOrder): string => names("", order)[0]!;
  expect((Object.keys(PROJECT_ORDERS) as ProjectOrder[]).map(first)).toEqual([
    "Mouse brain 10",
    "Human liver",
    "Human liver",
    "mouse brain 9",
    "Human liver",
  ]);
  const waiting = { ...project("Waiting", 4, "completed", null), waits: true as const };
  expect(arrangeProjects([waiting, ...PROJECTS], "", "status").at(-1)).toBe(waiting);
  expect(names("mouse", "name")).toEqual(["mouse brain 9", "Mouse brain 10"]);
  expect(names("", "expiry").at(-1)).toBe("Mouse brain 10");
});
