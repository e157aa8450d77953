import { nameId, type AnnotationValue } from "@stipple/contract/annotations";
import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { cellSet } from "@stipple/viewer/cells";
import { afterEach, expect, it } from "vitest";
import { packedCells } from "../selection/groups-json.ts";
import { ownEdits } from "../state/own-edits.ts";
import { shownOfUrl } from "../state/url-state.ts";
import { editGroup, viewerStore } from "../state/viewer-store.ts";
import {
  annotationsOf,
  annotationStore,
  withPending,
  type AnnotationStore,
} from "./annotation-store.ts";
import { bindGroups } from "./bind-groups.ts";
import { bindNames } from "./bind-names.ts";

const N = 1000;
const group = (name: string) => ({ name, color: "#000000", count: 1 });
const manifest = {
  nCells: N,
  types: ["T cell", "B cell"].map(group),
  clusters: [],
  domains: [],
} as unknown as ViewerManifest;
const cells = (step: number) => cellSet(N, (cell) => cell % step === 0);

let stops: (() => void)[] = [];
afterEach(() => {
  stops.forEach((stop) => stop());
  stops = [];
});

/** A project with these names of types and groups, as its page has loaded it. */
async function project(
  names: Record<string, string>,
  { groups = {}, mayEdit = true }: { groups?: Record<string, number>; mayEdit?: boolean } = {},
): Promise<AnnotationStore> {
  const store = annotationStore();
  const meta = { revision: 1, author: null, at: "" };
  const items = new Map();
  for (const [type, label] of Object.entries(names)) {
    const id = nameId("type", type);
    items.set(id, { id, kind: "name", value: { of: "type", group: type, label }, ...meta });
  }
  for (const [name, step] of Object.entries(groups)) {
    const value = {
      name,
      color: "#112233",
      cells: await packedCells(cells(step)),
      assigned: null,
      cellsKey: "now",
    } satisfies AnnotationValue<"group">;
    items.set(name, { id: name, kind: "group", value, ...meta });
  }
  store.setState({ saved: items, items, status: "ready", mayEdit, cells: "now", revision: 1 });
  return store;
}
const labels = (store: AnnotationStore) =>
  Object.fromEntries(
    annotationsOf(store.getState().items, "name").map(({ value }) => [value.group, value.label]),
  );
const named = (store: AnnotationStore) =>
  annotationsOf(store.getState().items, "group").map(({ value }) => value.name);

it("shows the project's names, and takes over what the owner's address says of other groups", async () => {
  const annotations = await project({ "T cell": "CD8" });
  const query = 'edit.type={"T cell":{"name":"Old"},"1":{"name":"Follicle"}}';
  const store = viewerStore(shownOfUrl(query));
  stops.push(bindNames(store, annotations, manifest));
  expect(store.getState().edits.type).toEqual({
    "T cell": { name: "CD8" },
    "B cell": { name: "Follicle" },
  });
  await expect.poll(() => labels(annotations)).toEqual({ "T cell": "CD8", "B cell": "Follicle" });
  // No address repeats what the project says.
  await expect.poll(() => ownEdits(store.getState()).type).toEqual({});
});

it("saves a rename and a restored name, and follows an undo", async () => {
  const annotations = await project({ "B cell": "Follicle" });
  const store = viewerStore();
  stops.push(bindNames(store, annotations, manifest));
  editGroup(store, "type", "T cell", { name: "CD8" });
  editGroup(store, "type", "B cell", { name: "" });
  await expect.poll(() => labels(annotations)).toEqual({ "T cell": "CD8" });
  expect(annotations.getState().pending).toHaveLength(1);
  annotations.setState((state) => withPending(state, []));
  expect(store.getState().edits.type).toEqual({ "B cell": { name: "Follicle" } });
});

it("lets visitors rename on their own page only", async () => {
  const annotations = await project({ "T cell": "CD8" }, { mayEdit: false });
  const store = viewerStore();
  const stop = bindNames(store, annotations, manifest);
  editGroup(store, "type", "T cell", { name: "Mine" });
  stop();
  expect(store.getState().edits.type).toEqual({ "T cell": { name: "Mine" } });
  expect(labels(annotations)).toEqual({ "T cell": "CD8" });
  expect(ownEdits(store.getState()).type).toEqual({ "T cell": { name: "Mine" } });
});

it("shows the project's groups, and keeps new, changed, and removed ones", async () => {
  const annotations = await project({}, { groups: { Rim: 3, Core: 5 } });
  const store = viewerStore();
  store.setState({ groups: [{ id: "mine", name: "Mine", color: "#ff0000", cells: cells(7) }] });
  stops.push(bindGroups(store, annotations, N));
  const names = () => store.getState().groups.map(({ name }) => name);
  await expect.poll(names).toEqual(["Mine", "Rim", "Core"]);
  expect(store.getState().groups[1]!.cells).toEqual(cells(3));
  await expect.poll(() => named(annotations)).toEqual(["Rim", "Core", "Mine"]);
  store.setState(({ groups }) => ({
    groups: groups
      .filter(({ name }) => name !== "Core")
      .map((one) => (one.name === "Rim" ? { ...one, name: "Edge" } : one)),
  }));
  await expect.poll(() => named(annotations)).toEqual(["Edge", "Mine"]);
  expect(annotations.getState().pending).toHaveLength(2);
  // Undone: everything but the first change is as it was.
  annotations.setState((state) => withPending(state, state.pending.slice(0, 1)));
  await expect.poll(() => names().toSorted()).toEqual(["Core", "Mine", "Rim"]);
  await new Promise((go) => setTimeout(go, 400));
  expect(annotations.getState().pending).toHaveLength(1);
});

it("leaves groups of another analysis in the project, and adds none twice", async () => {
  const annotations = await project({}, { groups: { Rim: 3 } });
  annotations.setState({ cells: "other" });
  const store = viewerStore();
  stops.push(bindGroups(store, annotations, N));
  await new Promise((go) => setTimeout(go, 50));
  expect(store.getState().groups).toEqual([]);
  expect(named(annotations)).toEqual(["Rim"]);

  const again = await project({}, { groups: { Rim: 3 } });
  const page = viewerStore();
  page.setState({ groups: [{ id: "own", name: "Rim", color: "#112233", cells: cells(3) }] });
  stops.push(bindGroups(page, again, N));
  await expect.poll(() => page.getState().groups.map(({ id }) => id)).toEqual(["Rim"]);
  expect(again.getState().pending).toEqual([]);
});
