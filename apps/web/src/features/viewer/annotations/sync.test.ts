import type { Annotation, AnnotationChange } from "@stipple/contract/annotations";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ApiError, NetworkError } from "../../../app/api.ts";
import type { AnnotationServer } from "./annotation-server.ts";
import {
  annotationStore,
  changeAnnotations,
  undoAnnotations,
  type AnnotationStore,
} from "./annotation-store.ts";
import { openDrafts, type DraftStorage } from "./drafts.ts";
import { discardRefused, keepMine, syncAnnotations, takeTheirs } from "./sync.ts";

const note = (id: string, text: string | null): AnnotationChange => ({
  id,
  kind: "note",
  value: text === null ? null : { text, x: 1, y: 2 },
});

/** A server in memory, by the rules of the real one. */
function memoryServer() {
  let revision = 0;
  let cells = "cells";
  let items = new Map<string, Annotation>();
  const past: Map<string, Annotation>[] = [];
  const known = new Set<string>();
  let failure: Error | null = null;
  const standing = () => ({ revision, can_undo: past.length > 0, can_redo: false });
  const write = (changes: readonly AnnotationChange[]): void => {
    past.push(items);
    items = new Map(items);
    revision++;
    for (const change of changes) {
      if (change.value === null) items.delete(change.id);
      else items.set(change.id, { ...change, revision, author: "ada", at: "" } as Annotation);
    }
  };
  const server: AnnotationServer = {
    async load() {
      if (failure instanceof NetworkError) throw failure;
      return { ...standing(), cells, items: [...items.values()] };
    },
    async change(batch, revisionOf) {
      if (failure) throw failure;
      if (known.has(batch.id)) return standing();
      for (const { id, based } of batch.changes) {
        if ((items.get(id)?.revision ?? 0) !== (based ?? revisionOf(id))) {
          throw new ApiError(409, "annotations_changed", "Changed.");
        }
      }
      known.add(batch.id);
      write(batch.changes);
      return standing();
    },
    async step(_, asked) {
      if (asked !== revision) throw new ApiError(409, "annotations_changed", "Changed.");
      const before = past.pop() ?? items;
      const ids = new Set([...items.keys(), ...before.keys()]);
      items = before;
      revision++;
      return {
        ...standing(),
        changed: [...ids].map((id) => ({ id, item: items.get(id) ?? null })),
      };
    },
  };
  return {
    server,
    write,
    analyze: (key: string) => void (cells = key),
    fail: (error: Error | null) => void (failure = error),
    texts: () =>
      [...items.values()].map(({ id, value }) => `${id}=${(value as { text: string }).text}`),
  };
}

function memoryStorage(): DraftStorage & { texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    get length() {
      return texts.size;
    },
    key: (at) => [...texts.keys()][at] ?? null,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  };
}

let storage: ReturnType<typeof memoryStorage>;
let stops: (() => void)[];
beforeEach(() => {
  storage = memoryStorage();
  stops = [];
  const events = new EventTarget();
  globalThis.window = events as unknown as typeof globalThis.window;
});
afterEach(() => {
  stops.forEach((stop) => stop());
  delete (globalThis as { window?: unknown }).window;
});

function page(server: AnnotationServer, mayEdit = true): AnnotationStore {
  const store = annotationStore();
  store.setState({ mayEdit });
  stops.push(
    syncAnnotations(
      store,
      server,
      openDrafts("p", () => storage),
    ),
  );
  return store;
}
const ready = (store: AnnotationStore) => expect.poll(() => store.getState().status).toBe("ready");
const saving = (store: AnnotationStore) => expect.poll(() => store.getState().saving);
const shown = (store: AnnotationStore) =>
  [...store.getState().items.values()].map(
    ({ id, value }) => `${id}=${(value as { text: string }).text}`,
  );

it("shows changes at once and saves them in order, also several of one item", async () => {
  const { server, texts } = memoryServer();
  const store = page(server);
  await ready(store);
  changeAnnotations(store, [note("a", "1"), note("b", "1")]);
  changeAnnotations(store, [note("a", "2")]);
  changeAnnotations(store, [note("b", null)]);
  expect(shown(store)).toEqual(["a=2"]);
  await expect.poll(texts).toEqual(["a=2"]);
  await saving(store).toBe("saved");
  expect(store.getState()).toMatchObject({ canUndo: true, revision: 3, pending: [] });
  undoAnnotations(store);
  await expect.poll(() => shown(store).toSorted()).toEqual(["a=2", "b=1"]);
  expect(storage.texts.size).toBe(0);
});

it("changes nothing for those who may not", async () => {
  const { server, write, texts } = memoryServer();
  write([note("a", "1")]);
  const store = page(server, false);
  await ready(store);
  changeAnnotations(store, [note("a", "2")]);
  undoAnnotations(store);
  expect(store.getState().pending).toEqual([]);
  expect([shown(store), texts()]).toEqual([["a=1"], ["a=1"]]);
});

it("keeps what cannot be sent, and sends it from the next page, once", async () => {
  const { server, fail, texts } = memoryServer();
  const first = page(server);
  await ready(first);
  fail(new NetworkError("No connection to the server."));
  changeAnnotations(first, [note("a", "mine")]);
  await saving(first).toBe("waiting");
  expect(first.getState().problem).toMatch(/kept in this browser/);
  expect(shown(first)).toEqual(["a=mine"]);
  stops.pop()!();
  fail(null);
  const second = page(server);
  await expect.poll(texts).toEqual(["a=mine"]);
  await expect.poll(() => storage.texts.size).toBe(0);
  expect(shown(second)).toEqual(["a=mine"]);
  // The first page sends it again: the answer was lost, not the change.
  stops.push(
    syncAnnotations(
      first,
      server,
      openDrafts("p", () => storage),
    ),
  );
  await saving(first).toBe("saved");
  expect(texts()).toEqual(["a=mine"]);
});

it("sends again once the browser is online", async () => {
  const { server, fail, texts } = memoryServer();
  const store = page(server);
  await ready(store);
  fail(new ApiError(503, "stopping", "Restarting."));
  changeAnnotations(store, [note("a", "1")]);
  await saving(store).toBe("waiting");
  fail(null);
  window.dispatchEvent(new Event("online"));
  await expect.poll(texts).toEqual(["a=1"]);
});

it("asks what to keep where others changed the same item, and loses neither", async () => {
  for (const choose of [keepMine, takeTheirs]) {
    const { server, write, texts } = memoryServer();
    write([note("a", "1"), note("b", "1")]);
    const store = page(server);
    await ready(store);
    write([note("a", "theirs")]);
    changeAnnotations(store, [note("a", "mine"), note("b", "mine")]);
    await saving(store).toBe("conflict");
    expect(store.getState().problem).toMatch(/^1 annotation that you changed was/);
    expect(shown(store)).toEqual(["a=mine", "b=mine"]);
    expect(texts()).toEqual(["a=theirs", "b=1"]);
    choose(store);
    await expect.poll(texts).toEqual([choose === keepMine ? "a=mine" : "a=theirs", "b=mine"]);
    await saving(store).toBe("saved");
    expect(shown(store)).toEqual(texts());
  }
});

it("stays with the cells it shows when it loads again after another analysis", async () => {
  const { server, write, analyze } = memoryServer();
  const store = page(server);
  await ready(store);
  analyze("other cells");
  write([note("a", "theirs")]);
  changeAnnotations(store, [note("a", "mine")]);
  await saving(store).toBe("conflict");
  expect(store.getState().cells).toBe("cells");
});

it("says what the server refuses, and goes on without it", async () => {
  const { server, fail, texts } = memoryServer();
  const store = page(server);
  await ready(store);
  fail(new ApiError(409, "limit_reached", "A project can have 25,000 annotations."));
  changeAnnotations(store, [note("a", "too much")]);
  await saving(store).toBe("refused");
  expect(store.getState().problem).toMatch(/25,000/);
  fail(null);
  changeAnnotations(store, [note("b", "fits")]);
  discardRefused(store);
  await expect.poll(texts).toEqual(["b=fits"]);
  expect(shown(store)).toEqual(["b=fits"]);
});

it("shows the newest state if an undo comes too late", async () => {
  const { server, write } = memoryServer();
  write([note("a", "1")]);
  const store = page(server);
  await ready(store);
  write([note("a", "2")]);
  undoAnnotations(store);
  await expect.poll(() => store.getState().problem).toMatch(/nothing was undone/);
  expect(shown(store)).toEqual(["a=2"]);
  await saving(store).toBe("saved");
});

it("ignores drafts that are not what it wrote, and blocked storage", async () => {
  storage.texts.set("stipple.annotations.p.x", "{broken");
  storage.texts.set("stipple.annotations.p.y", '[{"id":"no"}]');
  const { server, texts } = memoryServer();
  const store = page(server);
  await ready(store);
  expect(store.getState().pending).toEqual([]);
  const blocked = openDrafts("p", () => {
    throw new Error("SecurityError");
  });
  expect(blocked.take()).toEqual([]);
  expect(blocked.keep([])).toBe(true);
  expect(texts()).toEqual([]);
});

it("asks before the page closes with changes that are neither saved nor kept", async () => {
  const { server, texts, fail } = memoryServer();
  const store = page(server);
  await ready(store);
  const closes = (): boolean =>
    window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  fail(new NetworkError());
  changeAnnotations(store, [note("a", "kept")]);
  expect(closes()).toBe(true);
  storage.setItem = () => {
    throw new Error("QuotaExceededError");
  };
  changeAnnotations(store, [note("b", "more than the storage takes")]);
  expect(closes()).toBe(false);
  fail(null);
  window.dispatchEvent(new Event("online"));
  await expect.poll(() => texts().length).toBe(2);
  await saving(store).toBe("saved");
  expect(closes()).toBe(true);
});
