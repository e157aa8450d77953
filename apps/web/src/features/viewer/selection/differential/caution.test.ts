import { expect, it } from "vitest";
import { cellsOfGroup } from "../cell-choices.ts";
import { cellSet, difference, intersection, union, type CellSet } from "@stipple/viewer/cells";
import { byGrouping } from "@stipple/viewer/choices";
import { groupsFromJson, groupsToJson } from "../groups-json.ts";
import { shownCells } from "../selection-actions.ts";
import { cautionOf } from "./comparison.ts";

const N = 16;
const types = Uint16Array.from({ length: N }, (_, cell) => cell % 2);
const rgba = new Uint8Array(4 * N).fill(255);
const nothingHidden = byGrouping((): number[] => []);
const shown = shownCells(rgba, nothingHidden);
/** What a lasso in the tissue or the UMAP selects. */
const lasso = (from: number, to: number, by: "place" | "expression UMAP", among = shown): CellSet =>
  intersection({ ...cellSet(N, (cell) => cell >= from && cell < to), chosenBy: [by] }, among);

it("tells regions of the tissue from groups chosen by expression", () => {
  const left = lasso(0, 8, "place");
  const right = lasso(8, 16, "place");
  expect(cautionOf(left, null)).toBe("place");
  expect(cautionOf(left, right)).toBe("place");
  expect(cautionOf(lasso(0, 8, "expression UMAP"), null)).toBe("expression");
  expect(cautionOf(cellsOfGroup(types, "type", 0), cellsOfGroup(types, "type", 1))).toBe(
    "expression",
  );
  expect(cautionOf(left, cellsOfGroup(types, "cluster", 1))).toBe("expression");
  expect(cautionOf(cellsOfGroup(types, "evidence", 0), null)).toBe("quality");
  expect(
    cautionOf(
      cellSet(N, () => true),
      null,
    ),
  ).toBe("unknown");
});

it("sees that one type here against the same type there is a choice by place", () => {
  const type = cellsOfGroup(types, "type", 0);
  const here = intersection(lasso(0, 8, "place"), type);
  const there = intersection(lasso(8, 16, "place"), type);
  expect(cautionOf(here, there)).toBe("place");
  expect(cautionOf(here, null)).toBe("expression");
  expect(cautionOf(here, intersection(there, cellsOfGroup(types, "cluster", 0)))).toBe(
    "expression",
  );
  // The same with all other types hidden while the lasso is drawn.
  const onlyOne = shownCells(rgba, { ...nothingHidden, type: [1] });
  expect(cautionOf(lasso(0, 8, "place", onlyOne), lasso(8, 16, "place", onlyOne))).toBe("place");
  expect(cautionOf(lasso(0, 8, "place", onlyOne), lasso(8, 16, "place"))).toBe("expression");
});

it("remembers through combining and saving", async () => {
  const both = union(lasso(0, 4, "place"), lasso(8, 12, "expression UMAP"));
  expect(cautionOf(difference(shown, both), null)).toBe("expression");
  const group = { id: "a", name: "A", color: "#aa00bb", cells: lasso(0, 4, "place") };
  const [read] = await groupsFromJson(
    JSON.parse(JSON.stringify(await groupsToJson([group], N))),
    N,
  );
  expect(read).toEqual({ ...group, id: read!.id });
  expect(cautionOf(read!.cells, null)).toBe("place");
  // Older groups do not say how they were chosen.
  const { chosenBy: _, ...older } = group.cells;
  expect(cautionOf(older, null)).toBe("unknown");
});
