import { deflateRawSync } from "node:zlib";
import type { StepCost } from "./measure.ts";

/**
 * Seconds that {@link secondsOf} takes at the speed that counts as 1: that of an idle host. All steps of the sample
 * dataset at commit 58bd13a took 1.34 times as long (1.26 to 1.41) on 25 November 2026, when the work took 0.078 s, as on
 * an idle host two days earlier.
 */
const REFERENCE_SECONDS = 0.058;

const NUMBERS = 1 << 22;
const BYTES = 1 << 22;
const ROUNDS = 5;

/**
 * One core's speed now, relative to the reference: the machines are shared, and their speed changes by a factor of two
 * within a day. Takes half a second.
 */
export function measureSpeed(): number {
  const work = prepareWork();
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) best = Math.min(best, secondsOf(work));
  return Number((REFERENCE_SECONDS / best).toFixed(3));
}

/** Factor from a step's measured CPU or wall seconds to those at the reference speed; NaN if it was not measured. */
export function toReference({ speed }: Pick<StepCost, "speed">): number {
  return speed ?? NaN;
}

interface Work {
  values: Float32Array;
  places: Uint32Array;
  bytes: Uint8Array;
}

function prepareWork(): Work {
  const values = new Float32Array(NUMBERS);
  const places = new Uint32Array(NUMBERS);
  const bytes = new Uint8Array(BYTES);
  let state = 1;
  for (let i = 0; i < NUMBERS; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = (state >>> 8) / 2 ** 24;
    places[i] = state % NUMBERS;
    // Compressible, like counts: mostly small numbers.
    bytes[i] = state >>> 24 < 200 ? 0 : (state >>> 20) & 7;
  }
  return { values, places, bytes };
}

/** What most of a step's time goes into: loops over typed arrays, in order and at random, and compression. */
function secondsOf({ values, places, bytes }: Work): number {
  const started = performance.now();
  let sum = 0;
  for (let i = 0; i < NUMBERS; i++) sum += values[places[i]];
  for (let i = 0; i < NUMBERS; i += 2) sum += Math.log1p(values[i]);
  const { length } = deflateRawSync(bytes, { level: 1 });
  const seconds = (performance.now() - started) / 1000;
  // Uses the results, so that they have to be computed.
  if (!(sum + length > 0)) throw new Error("The work to measure the speed gave no result");
  return seconds;
}
