import type { AnnotationChange } from "@stipple/contract/annotations";
import { expect, it } from "vitest";
import type { Nucleus, OutlineCorners } from "../state/nucleus-work.ts";
import { changesOfNuclei, countEdits, stillThere, type NucleusEdit } from "./change-nuclei.ts";

const ring = (x: number): OutlineCorners => [
  [x, 0],
  [x + 9, 0],
  [x, 9],
];
const KEY = "a".repeat(64);
const found = (cell: number): Nucleus => ({ cell, ring: ring(10 * cell) });
const made = (ring: OutlineCorners): Nucleus => ({ cell: null, ring });

function apply(edits: Map<string, NucleusEdit>, changes: AnnotationChange[]) {
  const next = new Map(edits);
  for (const { id, value } of changes) {
    if (value === null) next.delete(id);
    else next.set(id, value as NucleusEdit);
  }
  return next;
}
const NONE = new Map<string, NucleusEdit>();

it("merges two nuclei, and splits the merged one: one edit, which names both", () => {
  const merged = ring(1);
  const one = apply(
    NONE,
    changesOfNuclei(NONE, [{ how: "merged", nuclei: [found(7), found(3)], rings: [merged] }], KEY),
  );
  expect([...one]).toEqual([
    [
      "nucleus 3 aaaaaaaaaaaaaaaa",
      { how: "merged", removed: [3, 7], added: [merged], cellsKey: KEY },
    ],
  ]);
  const [left, right] = [ring(2), ring(3)];
  const two = apply(
    one,
    changesOfNuclei(one, [{ how: "split", nuclei: [made(merged)], rings: [left, right] }], KEY),
  );
  expect([...two.values()]).toEqual([
    { how: "split", removed: [3, 7], added: [left, right], cellsKey: KEY },
  ]);
  // One half with a nucleus that no edit has touched.
  const both = ring(4);
  const three = apply(
    two,
    changesOfNuclei(two, [{ how: "merged", nuclei: [made(right), found(5)], rings: [both] }], KEY),
  );
  expect([...three.values()]).toEqual([
    { how: "merged", removed: [3, 5, 7], added: [left, both], cellsKey: KEY },
  ]);
});

it("deletes what was added without a trace, and what was found by its number", () => {
  const extra = ring(20);
  const add = changesOfNuclei(NONE, [{ how: "added", nuclei: [], rings: [extra] }], KEY);
  const added = apply(NONE, add);
  expect(countEdits(added)).toEqual(new Map([["added", 1]]));
  const both = [made(extra), found(2)];
  const deleted = apply(
    added,
    changesOfNuclei(
      added,
      both.map((one) => ({ how: "deleted", nuclei: [one], rings: [] })),
      KEY,
    ),
  );
  expect([...deleted.values()]).toEqual([
    { how: "deleted", removed: [2], added: [], cellsKey: KEY },
  ]);
  expect(stillThere([...both, found(1)], deleted)).toEqual([found(1)]);
});
