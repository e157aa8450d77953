import { describe, expect, it } from "vitest";
import { chunksDigest } from "../outputs/content.ts";
import { decide, type SentChunk, type Slot } from "./upload-state.ts";

const upload = { key: "objects/a", uploadId: "u" };
const hash = (name: string) => chunksDigest([name]);
const whole = (...names: string[]) => chunksDigest(names.map(hash));
/** A chunk of a file of two: its name is its content. */
const chunk = (at: number, name: string, fileSha256?: string): SentChunk => ({
  fileName: "a.tif",
  chunk: at,
  chunks: 2,
  size: 1,
  sha256: hash(name),
  ...(fileSha256 === undefined ? {} : { fileSha256 }),
});
const part = (at: number, name: string, tag: string | null = "t") => ({
  chunk: at,
  size: 1,
  sha256: hash(name),
  tag,
});
const underWay = (parts: ReturnType<typeof part>[]) =>
  ({ at: "arriving", fileName: "a.tif", chunks: 2, upload, parts, before: null }) satisfies Slot;
const complete: Slot = {
  at: "complete",
  fileName: "a.tif",
  chunks: 2,
  hashes: [hash("x"), hash("y")],
  size: 2,
};
const start = { to: "start" };
const store = { to: "store", upload };
const check = { to: "check", key: upload.key };
const answer = { to: "answer" };
const sent = { key: upload.key, tag: "t" };
const lost = { key: upload.key, tag: null };

describe("a chunk, before its bytes are sent,", () => {
  it.each([
    ["starts a file in an empty slot", { at: "empty" } as Slot, chunk(0, "x"), start],
    ["repeated after its file is complete, changes nothing", complete, chunk(1, "y"), answer],
    ["repeated with its file's digest, changes nothing", complete, chunk(0, "x", ""), answer],
    ["sent again first may begin another file that begins alike", complete, chunk(0, "x"), start],
    ["of another file replaces a complete one", complete, chunk(0, "z"), start],
    [
      "like one of the complete file, but of another file, replaces it",
      complete,
      chunk(0, "x", whole("x", "z")),
      start,
    ],
    ["joins its file", underWay([part(0, "x")]), chunk(1, "y"), store],
    [
      "is sent again if it was announced but not stored",
      underWay([part(0, "x", null)]),
      chunk(0, "x"),
      store,
    ],
    ["repeated, changes nothing", underWay([part(0, "x")]), chunk(0, "x"), answer],
    ["with other bytes starts the file over", underWay([part(0, "x")]), chunk(0, "z"), start],
    [
      "of a file with another name starts over",
      underWay([part(0, "x")]),
      { ...chunk(1, "y"), fileName: "b.tif" },
      start,
    ],
    [
      "of a file with another number of chunks starts over",
      underWay([part(0, "x")]),
      { ...chunk(1, "y"), chunks: 3 },
      start,
    ],
    [
      "whose sender means other chunks than those stored starts over",
      underWay([part(0, "x")]),
      chunk(1, "y", whole("z", "y")),
      start,
    ],
    [
      "that was the last, repeated, waits for the verdict",
      underWay([part(0, "x"), part(1, "y")]),
      chunk(1, "y"),
      check,
    ],
    [
      "that contradicts a file being checked replaces it",
      underWay([part(0, "x"), part(1, "y")]),
      chunk(1, "z"),
      start,
    ],
  ])("%s", (_what, slot, sending, next) => {
    expect(decide(slot, sending, null)).toEqual(next);
  });
});

describe("a chunk whose bytes were sent", () => {
  it.each([
    [
      "and stored, but is not the last, is answered",
      underWay([part(0, "x")]),
      chunk(0, "x"),
      sent,
      answer,
    ],
    [
      "last has its file checked",
      underWay([part(0, "x"), part(1, "y")]),
      chunk(1, "y", whole("x", "y")),
      sent,
      check,
    ],
    [
      "last by number, from a sender with more to send, is answered",
      underWay([part(0, "x"), part(1, "y")]),
      chunk(1, "y", ""),
      sent,
      answer,
    ],
    [
      "while another chunk is still on its way is answered",
      underWay([part(0, "x", null), part(1, "y")]),
      chunk(1, "y"),
      sent,
      answer,
    ],
    [
      "to an upload that has ended since gets that file's verdict",
      complete,
      chunk(1, "y"),
      sent,
      check,
    ],
    [
      "to an upload that was replaced gets that file's verdict",
      { ...underWay([]), upload: { key: "objects/b", uploadId: "v" } },
      chunk(1, "y"),
      sent,
      check,
    ],
    [
      "to an upload that the storage has dropped starts over",
      underWay([part(0, "x")]),
      chunk(1, "y"),
      lost,
      { to: "drop" },
    ],
    [
      "to an upload that was completed, and is being checked or waits for it, gets its verdict",
      underWay([part(0, "x"), part(1, "y")]),
      chunk(1, "y"),
      lost,
      check,
    ],
  ])("%s", (_what, slot, sending, how, next) => {
    expect(decide(slot, sending, how)).toEqual(next);
  });
});
