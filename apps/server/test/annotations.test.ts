import { randomUUID } from "node:crypto";
import { stepFolder } from "@stipple/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addFiles } from "./published.ts";
import { startTestServer, type Answer, type TestServer } from "./server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.[Symbol.asyncDispose]());

interface Owner {
  token: string;
  id: string;
  /** Of the owner's link. */
  link: string;
}

async function owner(): Promise<Owner> {
  const token = await server.signUp();
  const id = await server.newProject(token);
  await addFiles(server, id, {
    [`${stepFolder(7)}/summary.json`]: "{}",
    [`${stepFolder(6)}/viewer/cells.xy.f32`]: "positions",
  });
  const { url } = (await server.call("POST", `/start_visualization?project_id=${id}`, { token }))
    .json;
  return { token, id, link: (url as string).split("/").at(-1)! };
}

const note = (id: string, text: string | null, revision = 0) => ({
  id,
  kind: "note",
  value: text === null ? null : { text, x: 1, y: 2 },
  revision,
});
const post = ({ token, id }: Owner, path: string, body: unknown) =>
  server.call("POST", `/projects/${id}/annotations${path}`, { token, body });
const change = (of: Owner, changes: unknown[], id: string = randomUUID()) =>
  post(of, "", { id, changes });
const read = async (of: Owner, link = of.link, query = "") =>
  (await server.call("GET", `/visualization/${link}/annotations${query}`)).json;
const texts = async (of: Owner) =>
  ((await read(of)).items as { id: string; value: { text: string } }[])
    .map(({ id, value }) => `${id}=${value.text}`)
    .toSorted();
const list = async ({ token, id }: Owner, what: "history" | "versions") =>
  (await server.call("GET", `/projects/${id}/annotations/${what}`, { token })).json;
const refusal = ({ status, json }: Answer) => [status, json.code];
const start = async ({ token, id }: Owner) =>
  (await server.call("POST", `/projects/${id}/shares`, { token, body: { days: 1 } })).json;

describe("annotations", () => {
  it("are read with their authors, and with what their cells refer to", async () => {
    const ada = await owner();
    const empty = await read(ada);
    expect(empty).toMatchObject({ revision: 0, can_undo: false, can_redo: false, items: [] });
    expect(empty.cells).toMatch(/^[0-9a-f]{64}$/);
    const region = {
      name: " Tumor ",
      class: null,
      color: "#aa0000",
      polygons: [
        [
          [
            [0, 0],
            [9, 0],
            [9, 9],
          ],
        ],
      ],
      excluded: false,
    };
    const answer = await change(ada, [
      note("a", "A fold"),
      { id: "r", kind: "region", value: region, revision: 0 },
    ]);
    expect(answer.json).toEqual({ revision: 1, can_undo: true, can_redo: false });
    const { items } = await read(ada);
    expect(items).toHaveLength(2);
    expect(items[1]).toMatchObject({ kind: "region", value: { ...region, name: "Tumor" } });
    expect(items[0]).toMatchObject({ revision: 1, author: expect.stringContaining("@") });
    expect((await read(ada, ada.link, "?kind=note")).items).toEqual([items[0]]);

    const { url } = await start(ada);
    const shared = await read(ada, url.split("/").at(-1));
    expect(shared.items).toHaveLength(2);
    expect(JSON.stringify(shared)).not.toContain("@");
  });

  it("are refused if they were changed since, all together, and a repeated request is answered again", async () => {
    const ada = await owner();
    const id = randomUUID();
    const first = await change(ada, [note("a", "one")], id);
    expect((await change(ada, [note("a", "one")], id)).json).toEqual(first.json);
    expect((await change(ada, [note("a", "two", 1)])).json.revision).toBe(2);
    const late = await change(ada, [note("b", "new"), note("a", "late", 1)]);
    expect(refusal(late)).toEqual([409, "annotations_changed"]);
    expect(await texts(ada)).toEqual(["a=two"]);
    // What is gone may be deleted again, and not be changed.
    await change(ada, [note("a", null, 2)]);
    expect((await change(ada, [note("a", null, 2)])).json.revision).toBe(3);
    expect(refusal(await change(ada, [note("a", "x", 2)]))).toEqual([409, "annotations_changed"]);
    // Simultaneous changes of one item: one of them wins.
    const all = await Promise.all(["1", "2", "3"].map((text) => change(ada, [note("c", text)])));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  it("are undone and redone change by change, until something else is changed", async () => {
    const ada = await owner();
    await change(ada, [note("a", "1"), note("b", "1")]);
    await change(ada, [note("a", "2", 1), note("b", null, 1)]);
    const undo = (revision: number) => post(ada, "/undo", { revision });
    const redo = (revision: number) => post(ada, "/redo", { revision });
    expect(refusal(await undo(1))).toEqual([409, "annotations_changed"]);
    const undone = (await undo(2)).json;
    expect(undone).toMatchObject({ revision: 3, can_undo: true, can_redo: true });
    expect(undone.changed).toMatchObject([
      { id: "a", item: { value: { text: "1" }, revision: 3 } },
      { id: "b", item: { value: { text: "1" } } },
    ]);
    expect((await undo(3)).json).toMatchObject({ can_undo: false, can_redo: true });
    expect(await texts(ada)).toEqual([]);
    expect((await undo(4)).json).toMatchObject({ revision: 4, changed: [] });
    expect((await redo(4)).json.can_redo).toBe(true);
    expect(await texts(ada)).toEqual(["a=1", "b=1"]);
    expect((await redo(5)).json).toMatchObject({
      can_redo: false,
      changed: [{ id: "a" }, { id: "b", item: null }],
    });
    expect(await texts(ada)).toEqual(["a=2"]);
    await undo(6);
    // From here on, the undone change cannot be redone.
    expect((await change(ada, [note("c", "3")])).json).toMatchObject({ can_redo: false });
    expect((await redo(8)).json).toMatchObject({ revision: 8, changed: [] });
    expect(await list(ada, "history")).toMatchObject([
      { revision: 8, undone: false, count: 1, items: [{ kind: "note", what: "added" }] },
      { revision: 2, undone: true, count: 2, items: [{ what: "changed" }, { what: "removed" }] },
      { revision: 1, undone: false, restored: null },
    ]);
  });

  it("are listed in the history by whole characters", async () => {
    const ada = await owner();
    await change(ada, [note("a", "😀".repeat(41))]);
    expect(await list(ada, "history")).toMatchObject([
      { items: [{ label: `${"😀".repeat(39)}…` }] },
    ]);
  });

  it("are kept as named versions, which are restored as a change", async () => {
    const ada = await owner();
    await change(ada, [note("a", "1"), note("b", "1")]);
    const saved = await post(ada, "/versions", { name: "Before the meeting" });
    expect([saved.status, saved.json.count]).toEqual([201, 2]);
    expect(refusal(await post(ada, "/versions", { name: "Before the meeting" }))).toEqual([
      400,
      "invalid_request",
    ]);
    await change(ada, [note("a", "2", 1), note("c", "2")]);
    const path = `/versions/${saved.json.id}/restore`;
    expect(refusal(await post(ada, path, { revision: 1 }))).toEqual([409, "annotations_changed"]);
    const restored = (await post(ada, path, { revision: 2 })).json;
    expect(restored.changed.map(({ id }: { id: string }) => id).toSorted()).toEqual(["a", "c"]);
    expect(await texts(ada)).toEqual(["a=1", "b=1"]);
    expect(await list(ada, "history")).toMatchObject([
      { restored: "Before the meeting" },
      { revision: 2 },
      { revision: 1 },
    ]);
    await post(ada, "/undo", { revision: 3 });
    expect(await texts(ada)).toEqual(["a=2", "b=1", "c=2"]);
    const remove = () =>
      server.call("DELETE", `/projects/${ada.id}/annotations/versions/${saved.json.id}`, {
        token: ada.token,
      });
    expect((await remove()).status).toBe(200);
    expect(refusal(await remove())).toEqual([404, "not_found"]);
    expect(await list(ada, "versions")).toEqual([]);
  });

  it("refuse values that do not fit their kinds, with a sentence that names the item", async () => {
    const ada = await owner();
    const ask = (kind: string, value: object) =>
      change(ada, [{ id: "mine", kind, value, revision: 0 }]);
    for (const [kind, value] of [
      ["note", { text: "  ", x: 1, y: 1 }],
      ["note", { text: "a\0b", x: 1, y: 1 }],
      ["note", { text: "half of \ud83d", x: 1, y: 1 }],
      ["genes", { name: "half of \ud83d", genes: ["A"] }],
      ["genes", { name: "two\nlines", genes: ["A"] }],
      ["genes", { name: "None", genes: [] }],
      ["name", { of: "planet", group: "T cell" }],
      [
        "region",
        { name: "R", class: null, color: "#000000", polygons: [[[[0, 0]]]], excluded: false },
      ],
      ["group", { name: "G", color: "red", cells: "", assigned: null, cellsKey: "x" }],
    ] as const) {
      const answer = await ask(kind, value);
      expect(refusal(answer)).toEqual([400, "invalid_request"]);
      expect(answer.json.error).toMatch(/annotation.*\.$/);
    }
    expect(refusal(await change(ada, [note("a", "1"), note("a", "2")]))[0]).toBe(400);
    expect((await change(ada, [note("b", "\\ud83d")])).status).toBe(200);
    const large = { name: "L", genes: Array.from({ length: 5000 }, () => "x".repeat(500)) };
    expect((await ask("genes", large)).status).toBe(200);
    const cells = { name: "L", color: "#000000", assigned: null, cellsKey: "x" };
    const answer = await ask("group", { ...cells, cells: "A".repeat(8_000_000) });
    expect(refusal(answer)).toEqual([413, "upload_too_large"]);
  });

  it("take 20,000 regions at once, and no more than fit", async () => {
    const ada = await owner();
    const polygon = Array.from({ length: 20 }, (_, at) => [at * 1.25, at % 7]);
    const value = {
      name: "Gland",
      class: null,
      color: "#00aa00",
      polygons: [[polygon]],
      excluded: false,
    };
    const regions = Array.from({ length: 20_000 }, (_, at) => ({
      id: `r${at}`,
      kind: "region",
      value,
      revision: 0,
    }));
    expect((await change(ada, regions)).status).toBe(200);
    const more = regions.slice(0, 5001).map((one) => ({ ...one, id: `more ${one.id}` }));
    expect(refusal(await change(ada, more))).toEqual([409, "limit_reached"]);
    expect((await read(ada)).items).toHaveLength(20_000);
    expect((await post(ada, "/undo", { revision: 1 })).json.changed).toHaveLength(20_000);
    expect((await read(ada)).items).toHaveLength(0);
  });

  it.each(["the project", "a study"])("are noted while share links of %s show them", async (of) => {
    const ada = await owner();
    const noted = async () =>
      (
        (await server.call("GET", "/account/activity", { token: ada.token })).json.entries as {
          what: string;
        }[]
      ).filter(({ what }) => what === "annotations_changed").length;
    await change(ada, [note("a", "1")]);
    expect(await noted()).toBe(0);
    if (of === "a study") {
      const call = async (path: string, body: unknown) =>
        (await server.call("POST", path, { token: ada.token, body })).json;
      const { id } = await call("/studies", { name: "A", project_ids: [ada.id] });
      await call(`/studies/${id}/shares`, { days: 1 });
    } else await start(ada);
    await change(ada, [note("b", "1")]);
    await change(ada, [note("c", "1")]);
    // Once an hour.
    expect(await noted()).toBe(1);
  });

  it("are part of the account's export, and go with the project", async () => {
    const ada = await owner();
    await change(ada, [note("a", "Mine")]);
    await post(ada, "/versions", { name: "First" });
    const { projects } = (await server.call("GET", "/account/export", { token: ada.token })).json;
    expect(projects).toMatchObject([
      {
        annotations: [{ id: "a", kind: "note", value: { text: "Mine" } }],
        annotation_versions: [{ name: "First", count: 1 }],
      },
    ]);
    const { token, id } = ada;
    expect((await server.call("DELETE", `/projects/${id}`, { token })).status).toBe(200);
    const { db } = server.context.database;
    for (const table of [
      "annotations",
      "annotation_batches",
      "annotation_changes",
      "annotation_versions",
    ] as const) {
      const rows = await db.selectFrom(table).select("id").where("project_id", "=", id).execute();
      expect(rows).toEqual([]);
    }
  });
});
