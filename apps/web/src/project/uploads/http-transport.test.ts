import { findSlot } from "@stipple/contract/platforms/index";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError, NetworkError } from "../../app/api.ts";
import { sessionExpired } from "../../app/session-events.ts";
import { httpTransport } from "./http-transport.ts";

/** A connection whose network behavior a test controls. */
class FakeRequest {
  static last: FakeRequest;
  upload: { onprogress?: (event: object) => void; onload?: () => void } = {};
  status = 0;
  responseText = "";
  onload?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  constructor() {
    FakeRequest.last = this;
  }
  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  abort(): void {
    this.onabort?.();
    this.onloadend?.();
  }
  answer(status: number, text: string): void {
    Object.assign(this, { status, responseText: text });
    this.onload?.();
    this.onloadend?.();
  }
}

let token: string | null;
let announced: number;
const count = () => (announced += 1);

beforeEach(() => {
  token = "old";
  announced = 0;
  sessionExpired.addEventListener("expired", count);
  vi.useFakeTimers();
  vi.stubGlobal("XMLHttpRequest", FakeRequest);
  vi.stubGlobal("localStorage", { getItem: () => token });
});
afterEach(() => {
  sessionExpired.removeEventListener("expired", count);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const slot = findSlot("visium", "he_image", undefined)!;
const { signal } = new AbortController();

/** Sends a chunk; how it ended is in `end`. */
function sending() {
  const seen: { end?: unknown } = {};
  const bytes = new Blob(["0123456789"]);
  const chunk = { fileName: "a.tif", index: 0, chunks: 1, sha256: "", fileSha256: "" };
  httpTransport
    .send({ projectId: "p", slot, bytes, ...chunk, onBytes: () => undefined, signal })
    .then(
      (answer) => (seen.end = answer),
      (error: unknown) => (seen.end = error),
    );
  return seen;
}

it("treats a minute of silence as a lost connection, but waits longer for the response", async () => {
  const silent = sending();
  await vi.advanceTimersByTimeAsync(50_000);
  FakeRequest.last.upload.onprogress?.({ loaded: 1, total: 10 });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(silent.end).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(silent.end).toBeInstanceOf(NetworkError);

  const unanswered = sending();
  FakeRequest.last.upload.onload?.();
  await vi.advanceTimersByTimeAsync(200_000);
  expect(unanswered.end).toBeUndefined();
  await vi.advanceTimersByTimeAsync(101_000);
  expect(unanswered.end).toBeInstanceOf(NetworkError);

  const answered = sending();
  FakeRequest.last.answer(200, "");
  await vi.advanceTimersByTimeAsync(400_000);
  expect(answered.end).toEqual({ complete: false });
});

it.each([
  ["the current token", "old", 1, ApiError],
  ["a replaced token", "new", 0, NetworkError],
  ["a deleted token", null, 0, ApiError],
])("detects the end of the session from a 401 to %s", async (_what, now, times, error) => {
  const refused = sending();
  token = now;
  FakeRequest.last.answer(401, '{"error":"The session has ended."}');
  await vi.advanceTimersByTimeAsync(0);
  expect(refused.end).toBeInstanceOf(error);
  expect(announced).toBe(times);
});
