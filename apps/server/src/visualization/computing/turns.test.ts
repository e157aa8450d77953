import { expect, it } from "vitest";
import { BusyError, Turns } from "./turns.ts";

const never = new AbortController().signal;

/** Work that runs until told to end; `log` records what started. */
function workshop(turns: Turns) {
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const run = (key: string, signal = never) =>
    turns.run(key, signal, () => {
      log.push(key);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const finish = async (at: number): Promise<void> => {
    ends[at]();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { log, run, finish };
}

it("runs one task per key at a time, and lets other keys proceed", async () => {
  const { log, run, finish } = workshop(new Turns(2, { key: 5, all: 5 }));
  for (const key of ["a", "a", "b", "c"]) void run(key);
  expect(log).toEqual(["a", "b"]);
  await finish(1);
  expect(log).toEqual(["a", "b", "c"]);
  await finish(0);
  expect(log).toEqual(["a", "b", "c", "a"]);
});

it("rejects tasks that would wait too long", async () => {
  const { run } = workshop(new Turns(1, { key: 1, all: 2 }));
  void run("a");
  void run("a");
  await expect(run("a")).rejects.toBeInstanceOf(BusyError);
  void run("b");
  await expect(run("c")).rejects.toBeInstanceOf(BusyError);
});

it("drops canceled tasks, and continues after a failure", async () => {
  const turns = new Turns(1, { key: 2, all: 2 });
  const { log, run, finish } = workshop(turns);
  void run("a");
  const leaving = new AbortController();
  const left = run("b", leaving.signal);
  void run("c");
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  await finish(0);
  expect(log).toEqual(["a", "c"]);
  await finish(1);
  await expect(turns.run("d", never, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  void run("e");
  expect(log.at(-1)).toBe("e");
});
