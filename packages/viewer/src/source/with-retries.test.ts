import { expect, it, vi } from "vitest";
import { withRetries } from "./with-retries.ts";

const lost = new Error("No connection to the server.");
const refused = (status: number) => Object.assign(new Error("refused"), { status });
/** Fails `times` times with `error`, then succeeds. */
const failing = (times: number, error: unknown) => {
  const ask = vi.fn(() => Promise.resolve("tile"));
  for (let time = 0; time < times; time++) ask.mockRejectedValueOnce(error);
  return ask;
};

it("tries three times on connection and server errors", async () => {
  for (const error of [lost, refused(503), new DOMException("", "InvalidStateError")]) {
    const twice = failing(2, error);
    await expect(withRetries(twice, undefined, [1, 1])).resolves.toBe("tile");
    expect(twice).toHaveBeenCalledTimes(3);
    const always = failing(9, error);
    await expect(withRetries(always, undefined, [1, 1])).rejects.toBe(error);
    expect(always).toHaveBeenCalledTimes(3);
  }
});

it("does not retry refusals or aborts", async () => {
  for (const error of [refused(404), new DOMException("", "AbortError")]) {
    const ask = failing(1, error);
    await expect(withRetries(ask, undefined, [1, 1])).rejects.toBe(error);
    expect(ask).toHaveBeenCalledTimes(1);
  }
});

it("stops retrying immediately when aborted during a pause", async () => {
  const leaving = new AbortController();
  const ask = failing(1, lost);
  const answer = withRetries(ask, leaving.signal, [60_000]);
  setTimeout(() => leaving.abort(), 5);
  await expect(answer).rejects.toMatchObject({ name: "AbortError" });
  expect(ask).toHaveBeenCalledTimes(1);
});
