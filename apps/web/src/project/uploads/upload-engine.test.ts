import { platformById } from "@stipple/contract/platforms/index";
import { CHUNK_BYTES } from "@stipple/contract/platforms/upload-slot";
import { describe, expect, it } from "vitest";
import type { ServerChunks } from "./chunk-plan.ts";
import type { UploadTransport } from "./send-file.ts";
import { uploadKey } from "./upload.ts";
import { UploadEngine } from "./upload-engine.ts";

const SLOTS = platformById("visium").slots;
const MATRIX = SLOTS[2]!;
const NOTHING: ServerChunks = {
  file_name: null,
  received: [],
  chunks: null,
  complete: false,
  size: null,
};

/**
 * A file of `size` bytes that needs no memory; `contents` distinguishes it from another with the same name and size.
 */
function fakeFile(name: string, size: number, contents = name): File {
  const slice = (start: number) => new Blob([`${contents}:${start / CHUNK_BYTES}`]);
  return { name, size, slice } as unknown as File;
}

/** The fake checksum: the contents themselves. */
const fakeHash = (bytes: Blob) => bytes.text();
const hashesOf = (contents: string, chunks: number[]) => chunks.map((at) => `${contents}:${at}`);

class HttpFailure extends Error {
  readonly status: number | undefined;
  readonly code: string;
  constructor(status: number | undefined, message = "", code = "") {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A server that puts chunks together as the real one does, and remembers what was sent to it. */
function fakeServer(before: ServerChunks | null = NOTHING) {
  const sent: number[] = [];
  const failures: (Error | undefined)[] = [];
  /** Chunks that have been sent and that the server stores on request. */
  const held: { index: number; store: () => void }[] = [];
  let holds = false;
  /** Chunks that the server loses the first time. */
  const forgets = new Set<number>();
  const contents: string[][] = [];
  let state = before;
  let running = 0;
  let mostAtOnce = 0;
  const transport: UploadTransport = {
    received: () => Promise.resolve(state),
    async send({ fileName, index, chunks, sha256, fileSha256, onBytes, signal }) {
      running += 1;
      mostAtOnce = Math.max(mostAtOnce, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      signal.throwIfAborted();
      const failure = failures.shift();
      if (failure) throw failure;
      sent.push(index);
      onBytes(CHUNK_BYTES);
      if (holds) await new Promise<void>((store) => held.push({ index, store }));
      if (!state) return { complete: false };
      const goesOn = state.file_name === fileName && state.chunks === chunks && !state.complete;
      const there = new Map(
        goesOn ? state.received.map((at, nth) => [at, state?.sha256?.[nth] ?? ""]) : [],
      );
      if (there.has(index) && there.get(index) !== sha256) there.clear();
      if (!forgets.delete(index)) there.set(index, sha256);
      const received = [...there.keys()].sort((a, b) => a - b);
      const hashes = received.map((at) => there.get(at)!);
      const complete = received.length === chunks && fileSha256 === hashes.join("");
      if (complete) contents.push(hashes);
      state = { file_name: fileName, received, chunks, complete, size: null, sha256: hashes };
      return { complete };
    },
  };
  const hold = (): unknown => (holds = true);
  return { transport, sent, failures, forgets, contents, held, hold, mostAtOnce: () => mostAtOnce };
}

function setUp(server: ReturnType<typeof fakeServer>) {
  const waits: number[] = [];
  let online = true;
  const comeBack = new Set<() => void>();
  const engine = new UploadEngine(
    server.transport,
    { now: () => 0, wait: (ms) => (waits.push(ms), Promise.resolve()) },
    {
      isOnline: () => online,
      onOnline: (listener) => (comeBack.add(listener), () => comeBack.delete(listener)),
    },
    fakeHash,
  );
  const key = uploadKey("p", MATRIX.id);
  return {
    engine,
    waits,
    upload: () => engine.snapshot().get(key),
    key,
    goOffline: () => (online = false),
    goOnline: () => {
      online = true;
      for (const listener of [...comeBack]) listener();
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

describe("upload engine", () => {
  it("sends a file's chunks in order and ends as done", async () => {
    const server = fakeServer();
    const { engine, upload } = setUp(server);
    await engine.add("p", MATRIX, fakeFile("matrix.mtx.gz", 2.5 * CHUNK_BYTES));
    expect(server.sent).toEqual([0, 1, 2]);
    expect(upload()).toMatchObject({ state: "done", sentBytes: 2.5 * CHUNK_BYTES });
  });

  it("sends the next chunk while one is being stored, but the first and last alone", async () => {
    const server = fakeServer();
    server.hold();
    const { engine, upload } = setUp(server);
    const added = engine.add("p", MATRIX, fakeFile("m", 5 * CHUNK_BYTES));
    const waiting = (): number[] => server.held.map(({ index }) => index);
    const settled = async (chunks: number[]): Promise<void> => {
      await until(() => waiting().length === chunks.length);
      // Nothing further comes.
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(waiting()).toEqual(chunks);
    };
    await settled([0]);
    server.held.shift()!.store();
    await settled([1, 2]);
    expect(upload()?.sentBytes).toBe(3 * CHUNK_BYTES);
    server.held.shift()!.store();
    await settled([2, 3]);
    // In whichever order they are stored.
    server.held.pop()!.store();
    await settled([2]);
    server.held.shift()!.store();
    await settled([4]);
    server.held.shift()!.store();
    await added;
    expect(upload()).toMatchObject({ state: "done", sentBytes: 5 * CHUNK_BYTES });
    expect(server.contents).toEqual([hashesOf("m", [0, 1, 2, 3, 4])]);
  });

  it("ends as failed when one of two chunks is refused, whatever happens to the other", async () => {
    const server = fakeServer();
    const { engine, upload } = setUp(server);
    const refused = new HttpFailure(400, "No room.");
    server.failures.push(undefined, undefined, refused);
    server.hold();
    const added = engine.add("p", MATRIX, fakeFile("m", 5 * CHUNK_BYTES));
    await until(() => server.held.length === 1);
    server.held.shift()!.store();
    await until(() => server.held.length === 1 && server.failures.length === 0);
    expect(upload()?.state).toBe("sending");
    server.held.shift()!.store();
    await added;
    expect(upload()).toMatchObject({ state: "failed", error: "No room." });
    expect(server.sent).toEqual([0, 1]);
  });

  const matrixOn = (part: Partial<ServerChunks>): ServerChunks => ({
    ...NOTHING,
    file_name: "matrix.mtx.gz",
    chunks: 4,
    ...part,
  });
  const matrixOf = (contents: string) => fakeFile("matrix.mtx.gz", 4 * CHUNK_BYTES, contents);

  it("continues an unfinished upload of the same file", async () => {
    const server = fakeServer(matrixOn({ received: [0, 2], sha256: hashesOf("a", [0, 2]) }));
    const { engine } = setUp(server);
    await engine.add("p", MATRIX, matrixOf("a"));
    expect(server.sent).toEqual([1, 3]);
    expect(server.contents).toEqual([hashesOf("a", [0, 1, 2, 3])]);
  });

  it.each([
    ["at its beginning", [0, 1], "a", [0, 1, 2, 3]],
    // All but the first two are there: whatever is sent first may complete it.
    ["after its beginning", [2, 3], "a", [2, 3, 0, 1]],
    ["when the server cannot tell", [0, 1], undefined, [0, 1, 2, 3]],
  ])(
    "never mixes in another file of the same name and length, %s",
    async (_where, received, contents, order) => {
      const server = fakeServer(
        matrixOn({ received, ...(contents && { sha256: hashesOf(contents, received) }) }),
      );
      const { engine, upload } = setUp(server);
      await engine.add("p", MATRIX, matrixOf("b"));
      expect(server.sent).toEqual(order);
      expect(upload()?.state).toBe("done");
      expect(server.contents).toEqual([hashesOf("b", [0, 1, 2, 3])]);
    },
  );

  it("starts with the differing chunk, and resends what the server then discarded", async () => {
    const server = fakeServer(
      matrixOn({ received: [0, 2], sha256: [...hashesOf("b", [0]), ...hashesOf("a", [2])] }),
    );
    const { engine } = setUp(server);
    await engine.add("p", MATRIX, matrixOf("b"));
    expect(server.sent).toEqual([2, 0, 1, 3]);
    expect(server.contents).toEqual([hashesOf("b", [0, 1, 2, 3])]);
  });

  it("sends nothing of a complete file, and all of one that only looks complete", async () => {
    const all = [0, 1, 2, 3];
    const server = fakeServer(
      matrixOn({ received: all, complete: true, sha256: hashesOf("a", all) }),
    );
    const { engine, upload } = setUp(server);
    await engine.add("p", MATRIX, matrixOf("a"));
    expect(server.sent).toEqual([]);
    expect(upload()).toMatchObject({ state: "done", sentBytes: 4 * CHUNK_BYTES });
    await engine.add("p", MATRIX, matrixOf("b"));
    expect(server.sent).toEqual(all);
    expect(server.contents).toEqual([hashesOf("b", all)]);
  });

  it("ends when all chunks are accepted by a server that does not report what it has", async () => {
    const server = fakeServer(null);
    const { engine, upload } = setUp(server);
    await engine.add("p", MATRIX, matrixOf("a"));
    expect(server.sent).toEqual([0, 1, 2, 3]);
    expect(upload()?.state).toBe("done");
  });

  it("resends what the server did not keep", async () => {
    const server = fakeServer();
    server.forgets.add(0);
    const { engine, upload } = setUp(server);
    await engine.add("p", MATRIX, fakeFile("matrix.mtx.gz", 3 * CHUNK_BYTES));
    expect(server.sent).toEqual([0, 1, 2, 0]);
    expect(upload()?.state).toBe("done");
  });

  it("retries transient failures with growing delays and then continues", async () => {
    const server = fakeServer();
    server.failures.push(new HttpFailure(503), new HttpFailure(undefined), new HttpFailure(429));
    const { engine, upload, waits } = setUp(server);
    await engine.add("p", MATRIX, fakeFile("m", 10));
    expect(upload()).toMatchObject({ state: "done" });
    expect(upload()?.error).toBeUndefined();
    expect(waits).toHaveLength(3);
    expect(waits[0]).toBeGreaterThanOrEqual(1000);
    expect(waits[2]).toBeGreaterThanOrEqual(4000);
  });

  it("gives up after five retries and keeps the server's message", async () => {
    const server = fakeServer();
    server.failures.push(
      ...Array.from({ length: 6 }, () => new HttpFailure(500, "The disk is on fire.")),
    );
    const { engine, upload, waits, key } = setUp(server);
    await engine.add("p", MATRIX, fakeFile("m", 10));
    expect(waits).toHaveLength(5);
    expect(upload()).toMatchObject({ state: "failed", error: "The disk is on fire." });
    engine.retry(key);
    await until(() => upload()?.state === "done");
  });

  it("resends a chunk damaged in transit", async () => {
    const server = fakeServer();
    server.failures.push(new HttpFailure(400, "Damaged.", "upload_chunk_damaged"));
    const { engine, upload, waits } = setUp(server);
    await engine.add("p", MATRIX, fakeFile("m", 10));
    expect(waits).toHaveLength(1);
    expect(upload()?.state).toBe("done");
  });

  it("does not retry a refusal", async () => {
    const server = fakeServer();
    server.failures.push(new HttpFailure(400, "This file type is not accepted here."));
    const { engine, upload, waits } = setUp(server);
    await engine.add("p", MATRIX, fakeFile("m", 10));
    expect(waits).toHaveLength(0);
    expect(upload()).toMatchObject({
      state: "failed",
      error: "This file type is not accepted here.",
    });
  });

  it("pauses on 401 until signed in, and while offline", async () => {
    const server = fakeServer();
    server.failures.push(new HttpFailure(401));
    const { engine, upload, goOffline, goOnline } = setUp(server);
    const first = engine.add("p", MATRIX, fakeFile("m", 10));
    await until(() => upload()?.state === "paused");
    expect(upload()?.pausedBy).toBe("session");
    engine.resumeSession();
    await first;
    expect(upload()?.state).toBe("done");
    expect(upload()?.pausedBy).toBeUndefined();

    goOffline();
    server.failures.push(new HttpFailure(undefined));
    const second = engine.add("p", MATRIX, fakeFile("n", 10));
    await until(() => upload()?.pausedBy === "offline");
    goOnline();
    await second;
    expect(upload()?.state).toBe("done");
  });

  it("sends at most three files at a time and reports each completion once", async () => {
    const server = fakeServer();
    const { engine } = setUp(server);
    // The fake knows one file only, so each file here is a single chunk.
    const ended: string[] = [];
    engine.onEnd(({ key }) => ended.push(key));
    await Promise.all(
      SLOTS.slice(0, 6).map((slot) => engine.add("p", slot, fakeFile(slot.id, 10))),
    );
    expect(server.mostAtOnce()).toBe(3);
    expect(ended).toHaveLength(6);
  });

  it("forgets a canceled upload and replaces the first chosen file with the second", async () => {
    const server = fakeServer();
    const { engine, upload, key } = setUp(server);
    const first = engine.add("p", MATRIX, fakeFile("old", 3 * CHUNK_BYTES));
    const second = engine.add("p", MATRIX, fakeFile("new", 10));
    await Promise.all([first, second]);
    expect(upload()).toMatchObject({ fileName: "new", state: "done" });
    const third = engine.add("p", MATRIX, fakeFile("third", 10));
    engine.cancel(key);
    await third;
    expect(upload()).toBeUndefined();
  });

  it("rejects an empty file with a message", async () => {
    const { engine, upload } = setUp(fakeServer());
    await engine.add("p", MATRIX, fakeFile("m", 0));
    expect(upload()).toMatchObject({ state: "failed", error: "The file is empty." });
  });
});
