import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { CHUNK_BYTES } from "@stipple/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { adopt, draftObject, sweepObjects, sweepUnfinished } from "../src/outputs/objects.ts";
import type { Storage } from "../src/storage/storage.ts";
import { takeChunkMemory } from "../src/uploads/chunk-memory.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { all, keysBelow, keysOf, storedInput } from "./stored.ts";

let server: TestServer;
let token: string;
let project: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.signUp();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  project = await server.newProject(token);
});

const scale = (value: unknown) => ({
  name: "scalefactors_json.json",
  bytes: Buffer.from(JSON.stringify({ of: value })),
});
const send = (id: string, part: Parameters<TestServer["sendChunk"]>[3]) =>
  server.sendChunk(token, id, "spatial_11?type=scale", part);
const objects = () => keysBelow(server.context.storage, "objects");

describe("an object", () => {
  it("is shared by equal files and deleted with the last of them", async () => {
    const others = await objects();
    const second = await server.newProject(token);
    await send(project, scale("shared"));
    await send(second, scale("shared"));
    const [key] = await keysOf(server, project);
    expect(await keysOf(server, second)).toEqual([key]);
    expect((await objects()).filter((each) => !others.includes(each))).toEqual([key]);
    // One project drops the object by replacing the file, the other by being deleted.
    await send(project, scale("another"));
    expect(await storedInput(server, second, "scalefactors_json.json")).not.toBeNull();
    await server.call("DELETE", `/projects/${second}`, { token });
    expect(await objects()).not.toContain(key);
    expect(await objects()).toEqual(expect.arrayContaining(await keysOf(server, project)));
  });

  it("is deleted with rows that a transaction deletes, and kept with those it does not", async () => {
    const { database } = server.context;
    await send(project, scale(randomUUID()));
    const [key] = await keysOf(server, project);
    const isDoomed = async () =>
      (await database.db.selectFrom("doomed_objects").select("storage_key").execute()).some(
        (row) => row.storage_key === key,
      );
    await expect(
      database.transaction(async (transaction) => {
        await transaction.deleteFrom("projects").where("id", "=", project).execute();
        throw new Error("the process was killed");
      }),
    ).rejects.toThrow("killed");
    expect(await isDoomed()).toBe(false);
    await database.db.deleteFrom("projects").where("id", "=", project).execute();
    expect(await isDoomed()).toBe(true);
    await sweepObjects(database.db, server.context.storage);
    expect([await isDoomed(), await objects()]).toEqual([false, expect.not.arrayContaining([key])]);
  });

  it("that is not adopted in time is removed, and can no longer be adopted", async () => {
    const { database, storage } = server.context;
    const [late, early] = [await draftObject(database.db), await draftObject(database.db)];
    for (const key of [late, early]) await storage.put(key, key);
    await database.db
      .updateTable("doomed_objects")
      .set({ due_at: sql<Date>`now() - interval '1 second'` })
      .where("storage_key", "=", late)
      .execute();
    await sweepObjects(database.db, storage);
    expect([await storage.stat(late), (await storage.stat(early)) !== null]).toEqual([null, true]);
    const adopting = (storageKey: string) =>
      database.transaction((transaction) =>
        adopt(transaction, { digest: storageKey, size: 1, storageKey }),
      );
    await expect(adopting(late)).rejects.toThrow("too long ago");
    expect(await adopting(early)).toMatchObject({ storageKey: early, isNew: true });
  });

  it("that cannot be removed does not keep others", async () => {
    const { database, storage } = server.context;
    const keys = await Promise.all([1, 2, 3].map(() => draftObject(database.db)));
    for (const [i, key] of keys.entries()) {
      await storage.put(key, key);
      const due_at = new Date(Date.now() - 3_600_000 + i);
      await database.db
        .updateTable("doomed_objects")
        .set({ due_at })
        .where("storage_key", "=", key)
        .execute();
    }
    const [stuck, ...others] = keys;
    const failing: Storage = {
      ...storage,
      remove: async (some) => {
        if (some.includes(stuck!)) throw new Error(`${stuck} is stuck`);
        await storage.remove(some);
      },
    };
    await expect(sweepObjects(database.db, failing)).rejects.toThrow("is stuck");
    expect(await Promise.all(others.map((key) => storage.stat(key)))).toEqual([null, null]);
    const left = database.db.selectFrom("doomed_objects").select(["storage_key", "due_at"]);
    const [row, ...more] = await left.where("storage_key", "in", keys).execute();
    expect([row?.storage_key, more]).toEqual([stuck, []]);
    expect(row!.due_at.getTime()).toBeGreaterThan(Date.now() - 60_000);
    await sweepObjects(database.db, storage);
    expect(await storage.stat(stuck!)).toBeNull();
  });

  it("whose parts are abandoned is discarded", async () => {
    const { database, storage } = server.context;
    const awaited = { ...scale("part"), bytes: Buffer.alloc(CHUNK_BYTES), chunk: 0, chunks: 2 };
    await send(project, awaited);
    await storage.beginParts("objects/abandoned");
    const keys = async () => (await all(storage.listParts("objects"))).map(({ key }) => key);
    const before = await keys();
    await sweepUnfinished(database.db, storage);
    // Someone may be about to resume it.
    expect(await keys()).toEqual(before);
    await sweepUnfinished(database.db, storage, new Date(Date.now() + 60_000));
    expect(before.filter((key) => key !== "objects/abandoned")).toEqual(await keys());
  });
});

describe("a whole file", () => {
  it("is accepted only while the project is idle", async () => {
    const { database } = server.context;
    const { id: userId } = (await server.call("GET", "/verify-subscription", { token })).json;
    const run = { id: randomUUID(), project_id: project, user_id: userId as string };
    // A run starts while the last chunk is in flight.
    const { storage } = server.context;
    const complete = storage.completeParts;
    storage.completeParts = async (...parts) => {
      await complete(...parts);
      await database.db
        .insertInto("runs")
        .values({ ...run, status: "running", start_step: 0, log: "[]", created_at: new Date() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    };
    try {
      const late = await send(project, scale("late"));
      expect([late.status, late.json.code]).toEqual([409, "project_busy"]);
    } finally {
      storage.completeParts = complete;
    }
    expect(await storedInput(server, project, "scalefactors_json.json")).toBeNull();
    await database.db.deleteFrom("runs").where("id", "=", run.id).execute();
    expect((await send(project, scale("late"))).json).toMatchObject({ complete: true });
  });

  it("waits whole until the project is idle, even if its last chunk comes twice", async () => {
    const { database, storage } = server.context;
    const { completeParts, putPart } = storage;
    const { id: userId } = (await server.call("GET", "/verify-subscription", { token })).json;
    const run = { id: randomUUID(), project_id: project, user_id: userId as string };
    const both = Promise.withResolvers<void>();
    const isLate = Promise.withResolvers<void>();
    let sent = 0;
    storage.putPart = async (...part) => {
      const isSecond = ++sent === 2;
      if (isSecond) both.resolve();
      await (isSecond ? isLate.promise : both.promise);
      return putPart(...part);
    };
    storage.completeParts = async (...parts) => {
      await completeParts(...parts);
      await database.db
        .insertInto("runs")
        .values({ ...run, status: "running", start_step: 0, log: "[]", created_at: new Date() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    };
    const sending = [send(project, scale("twice")), send(project, scale("twice"))];
    const first = await Promise.race(sending);
    isLate.resolve();
    for (const { json } of [first, ...(await Promise.all(sending))]) {
      expect(json.code).toBe("project_busy");
    }
    Object.assign(storage, { completeParts, putPart });
    const path = `/upload/spatial_11/chunks?type=scale&project_id=${project}`;
    expect((await server.call("GET", path, { token })).json.received).toEqual([0]);
    await database.db.deleteFrom("runs").where("id", "=", run.id).execute();
    expect((await send(project, scale("twice"))).json).toMatchObject({ complete: true });
  });

  it("holds no connection while being checked, and two senders get the same verdict", async () => {
    const { storage } = server.context;
    const remove = storage.remove;
    // Others start the file anew while the refused one is removed.
    storage.remove = async (keys) => {
      await delay(500);
      await remove(keys);
    };
    const bad = { name: "scalefactors_json.json", bytes: Buffer.from("{") };
    const answers = await Promise.all(Array.from({ length: 30 }, () => send(project, bad))).finally(
      () => (storage.remove = remove),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
    expect(answers[0]?.json.error).toContain("is cut off");
  });

  it.each(["is found empty", "cannot be read"])(
    "that is removed during its check, and so %s, stays removed, and its sender is told",
    async (how) => {
      const { storage } = server.context;
      const complete = storage.completeParts;
      const other = await server.newProject(token);
      storage.completeParts = async (key, ...parts) => {
        await complete(key, ...parts);
        await server.call("DELETE", `/upload/spatial_11?type=scale&project_id=${other}`, { token });
        if (how === "cannot be read") throw new Error("the check ended");
        await storage.remove([key]);
      };
      try {
        const answer = await send(other, scale("removed"));
        expect([answer.status, answer.json.complete]).toEqual([200, false]);
      } finally {
        storage.completeParts = complete;
      }
    },
  );

  it("whose process died is handled by the next sweep", async () => {
    const { database, storage, uploads } = server.context;
    const complete = storage.completeParts;
    storage.completeParts = () => Promise.reject(new Error("the process was killed"));
    try {
      expect((await send(project, scale("orphan"))).status).toBe(500);
    } finally {
      storage.completeParts = complete;
    }
    const set = { checking_until: sql<Date>`now() - interval '1 second'` };
    await database.db.updateTable("uploads").set(set).where("project_id", "=", project).execute();
    await uploads.sweep();
    expect(await storedInput(server, project, "scalefactors_json.json")).not.toBeNull();
  });

  it("stays when a process that was silent too long ends its check after another one has", async () => {
    const { database, storage, uploads } = server.context;
    const { completeParts } = storage;
    const beginsLate = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    storage.completeParts = async (...parts) => {
      storage.completeParts = completeParts;
      beginsLate.resolve();
      await goesOn.promise;
      await completeParts(...parts);
    };
    const late = send(project, scale("late check"));
    await beginsLate.promise;
    const set = { checking_until: sql<Date>`now() - interval '1 second'` };
    await database.db.updateTable("uploads").set(set).where("project_id", "=", project).execute();
    await uploads.sweep();
    goesOn.resolve();
    expect((await late).json).toMatchObject({ complete: true });
    const [key] = await keysOf(server, project);
    expect(await storage.stat(key)).not.toBeNull();
    // Drafting it again, as a process does that was silent before that, makes it no draft.
    await draftObject(database.db, key);
    const doomed = database.db.selectFrom("doomed_objects").where("storage_key", "=", key);
    expect(await doomed.selectAll().execute()).toEqual([]);
  });

  it("is assembled through files when many chunks arrive at once", async () => {
    const taken = Array.from({ length: 8 }, () => takeChunkMemory());
    expect(takeChunkMemory()).toBeNull();
    try {
      const image = Buffer.alloc(CHUNK_BYTES + 77, "x");
      image.set([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
      for (const chunk of [1, 0]) {
        const bytes = image.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
        const part = { name: "a.tif", bytes, chunk, chunks: 2 };
        const answer = await server.sendChunk(token, project, "he_image", part);
        expect(answer.json.complete).toBe(chunk === 0);
      }
      expect((await storedInput(server, project, "image.tif"))?.equals(image)).toBe(true);
    } finally {
      for (const memory of taken) memory?.[Symbol.dispose]();
    }
  });
});
