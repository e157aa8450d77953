import { expect, it } from "vitest";
import type { NamedGroup } from "../state/viewer-store.ts";
import { cellSet, cellsOf } from "@stipple/viewer/cells";
import { groupsFromJson, groupsToJson } from "./groups-json.ts";

const N = 100_003;

function group(name: string, within: (cell: number) => boolean): NamedGroup {
  return { id: name, name, color: "#00ff7f", cells: cellSet(N, within) };
}

async function written(groups: readonly NamedGroup[]): Promise<unknown> {
  return JSON.parse(JSON.stringify(await groupsToJson(groups, N))) as unknown;
}

it("restores groups from JSON", async () => {
  const groups = [
    group("Border & rim", (cell) => cell % 3 === 0),
    group("Nobody", () => false),
    group("Everybody", () => true),
  ];
  const back = await groupsFromJson(await written(groups), N);
  expect(back.map(({ name, color }) => ({ name, color }))).toEqual([
    { name: "Border & rim", color: "#00ff7f" },
    { name: "Nobody", color: "#00ff7f" },
    { name: "Everybody", color: "#00ff7f" },
  ]);
  for (const [at, { cells }] of back.entries()) {
    expect(cells.count).toBe(groups[at]!.cells.count);
    expect(cellsOf(cells)).toEqual(cellsOf(groups[at]!.cells));
  }
});

it("compresses a drawn region to a fraction of its bits", async () => {
  const text = JSON.stringify(
    await written([group("Strip", (cell) => cell > 500 && cell < 60_000)]),
  );
  expect(text.length).toBeLessThan(400);
});

it("rejects JSON it did not write", async () => {
  for (const value of [null, 5, {}, { version: 1, nCells: N, groups: [{ name: "" }] }]) {
    await expect(groupsFromJson(value, N)).rejects.toThrow("The saved groups can't be read.");
  }
  const good = (await written([group("A", () => true)])) as { groups: { cells: string }[] };
  await expect(groupsFromJson(good, N + 1)).rejects.toThrow(
    "The saved groups belong to results with 100,003 cells; this view has 100,004.",
  );
  const cut = { ...good, groups: [{ ...good.groups[0]!, cells: good.groups[0]!.cells.slice(8) }] };
  await expect(groupsFromJson(cut, N)).rejects.toThrow("The saved group “A” can't be read.");
  const short = await groupsToJson(
    [{ name: "B", color: "#000000", cells: cellSet(8 * N, () => true) }],
    N,
  );
  await expect(groupsFromJson(short, N)).rejects.toThrow("The saved group “B” can't be read.");
});
