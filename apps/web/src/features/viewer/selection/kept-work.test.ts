import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { beforeEach, expect, it } from "vitest";
import { annotationStore } from "../annotations/annotation-store.ts";
import { viewerStore } from "../state/viewer-store.ts";
import { cellSet } from "@stipple/viewer/cells";
import { keepWork } from "./kept-work.ts";

const N = 1000;
const cells = (step: number) => cellSet(N, (cell) => cell % step === 0);
const rim = { id: "rim", name: "Rim", color: "#aa00bb", cells: cells(3) };
const type = { name: "T cell", color: "#000000", count: N };
const manifest = {
  nCells: N,
  nSpots: 9,
  genes: ["A"],
  types: [type],
  clusters: [],
} as unknown as ViewerManifest;

let kept: Map<string, string>;
const storage = () => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
});
/** A page that uses the view until `leave` is called. */
function page(of = manifest, where: Parameters<typeof keepWork>[4] = storage) {
  const [store, annotations] = [viewerStore(), annotationStore()];
  return { store, annotations, leave: keepWork(store, annotations, of, "key", where) };
}
/** Stores the work of a closed page: a group and a selection. */
async function leftBehind(): Promise<void> {
  const { store, leave } = page();
  store.setState({ groups: [rim], selection: cells(7) });
  leave();
  await expect.poll(() => kept.size).toBe(1);
}

beforeEach(() => void (kept = new Map()));

it("restores groups and selection in the next page of the same analysis", async () => {
  await leftBehind();
  const { store } = page();
  await expect.poll(() => store.getState().selection).toEqual(cells(7));
  const { id: _, ...kept } = rim;
  expect(store.getState().groups).toMatchObject([kept]);
});

it("restores nothing for different cells or over existing work", async () => {
  await leftBehind();
  const others = page({ ...manifest, types: [{ ...type, count: 1 }] });
  const busy = page();
  busy.store.setState({ selection: cells(2) });
  await new Promise((go) => setTimeout(go, 100));
  expect(others.store.getState()).toMatchObject({ groups: [], selection: null });
  expect(busy.store.getState()).toMatchObject({ groups: [], selection: cells(2) });
});

it("saves changes after a pause, and forgets cleared work", async () => {
  const { store } = page();
  store.setState({ groups: [rim] });
  store.setState({ hovered: 3 });
  await expect.poll(() => kept.get("key")).toContain("Rim");
  store.setState({ groups: [] });
  await expect.poll(() => kept.size).toBe(0);
});

it("keeps working when storage is blocked or holds foreign data", async () => {
  kept.set("key", "{");
  const { store } = page();
  store.setState({ groups: [rim] });
  await expect.poll(() => kept.get("key")).toContain("Rim");
  const forbidden = page(manifest, () => {
    throw new Error("SecurityError");
  });
  forbidden.store.setState({ selection: cells(2) });
  forbidden.leave();
  await new Promise((go) => setTimeout(go, 50));
  expect(forbidden.store.getState().selection).toEqual(cells(2));
});
