import { Random } from "@stipple/numerics/random";
import { dueAt } from "../../../apps/server/src/runs/estimate/estimate.ts";
import { ASSUMPTIONS, STEPS_BEFORE, STEPS_FROM } from "./assumptions.ts";
import { WEEK, type Arrival } from "./arrivals.ts";

export interface Outcome {
  /** Seconds from request to start and from request to end of each run. */
  waits: { isHd: boolean; wait: number; total: number }[];
  /** Worker utilization. */
  busy: number;
  /** Maximum number of runs waiting or running at once. */
  maxUnderWay: number;
  /** Number of worker losses that cost a run part of a step. */
  lost: number;
  /** When the last run ended. */
  end: number;
}

/** Simulates workers that each run one job at a time, taking the run due first by the product's own rule. */
export function simulate(arrivals: readonly Arrival[], workers: number, seed: number): Outcome {
  const random = new Random(seed);
  /** End times of runs in progress. */
  const ends = new Heap<number>((time) => time);
  const queue = new Heap<Arrival>(({ at, seconds }) =>
    dueAt(new Date(at * 1000), { seconds, memoryMb: 0 }).getTime(),
  );
  const outcome: Outcome = { waits: [], busy: 0, maxUnderWay: 0, lost: 0, end: 0 };
  let worked = 0;

  const begin = (run: Arrival, now: number): void => {
    const seconds = carriedOut(run);
    worked += seconds;
    ends.push(now + seconds);
    outcome.waits.push({ isHd: run.isHd, wait: now - run.at, total: now + seconds - run.at });
  };
  /** Completes every run that ends by a given time; freed workers take the next one. */
  const advance = (until: number): void => {
    for (let end = ends.peek(); end !== undefined && end <= until; end = ends.peek()) {
      ends.pop();
      outcome.end = end;
      const next = queue.pop();
      if (next) begin(next, end);
    }
  };
  for (const run of arrivals) {
    advance(run.at);
    if (ends.size < workers) begin(run, run.at);
    else queue.push(run);
    outcome.maxUnderWay = Math.max(outcome.maxUnderWay, ends.size + queue.size);
  }
  advance(Infinity);
  outcome.busy = worked / (workers * outcome.end);
  return outcome;

  /** Total worker time for a run, including takeovers: losing a worker costs the progress in its current step. */
  function carriedOut(run: Arrival): number {
    const steps = run.isRerun ? STEPS_FROM : STEPS_BEFORE + STEPS_FROM;
    const step = run.seconds / steps;
    let seconds = run.seconds;
    for (let n = 0; n < steps; n++) {
      for (let lostAt = untilLoss(); lostAt < step; lostAt = untilLoss()) {
        seconds += lostAt + ASSUMPTIONS.missedSeconds.value;
        outcome.lost++;
      }
    }
    return seconds;
  }

  function untilLoss(): number {
    return (-WEEK / ASSUMPTIONS.lossesPerWorkerWeek.value) * Math.log(1 - random.uniform());
  }
}

/** A binary min-heap by rank. */
class Heap<T> {
  readonly #items: { rank: number; item: T }[] = [];
  readonly #rankOf: (item: T) => number;

  constructor(rankOf: (item: T) => number) {
    this.#rankOf = rankOf;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0]?.item;
  }

  push(item: T): void {
    const items = this.#items;
    items.push({ rank: this.#rankOf(item), item });
    for (let at = items.length - 1; at > 0;) {
      const parent = (at - 1) >> 1;
      if (items[parent].rank <= items[at].rank) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): T | undefined {
    const items = this.#items;
    if (items.length === 0) return undefined;
    this.#swap(0, items.length - 1);
    const { item } = items.pop()!;
    for (let at = 0; ;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < items.length && items[child].rank < items[least].rank) least = child;
      }
      if (least === at) return item;
      this.#swap(at, least);
      at = least;
    }
  }

  #swap(a: number, b: number): void {
    const items = this.#items;
    [items[a], items[b]] = [items[b], items[a]];
  }
}
