import {
  add,
  bitsOf,
  divide,
  firsts,
  int,
  isLess,
  isMore,
  isNot,
  leaveWhen,
  load,
  load32,
  loadTwice,
  multiply,
  openSimd,
  plus,
  repeat,
  repeatWhile,
  seconds,
  shifted,
  simdFunction,
  store,
  store32,
  subtract,
  unshifted,
  when,
  ZERO,
  type Code,
  type SimdFunction,
} from "../../numerics/simd/assembler.ts";
import {
  areEqual,
  doubles,
  floor,
  greater,
  highestBitsOfTwo,
  isAny,
  lesser,
  storeFirst,
} from "../../numerics/simd/words.ts";
import { weightOfTotals } from "./allocation.ts";

/** A spot's counts and the cells to allocate them to. */
export interface SpotCounts {
  /** Counts of its genes; integers. */
  seen: Float32Array;
  /** λ, cells × genes. */
  rates: Float64Array;
  /** Capture of its cells, at least two. */
  capture: Float32Array;
  /** Weight of the lag of each cell's total in an abundant gene. */
  weight: Float64Array;
}

/**
 * UMIs allocated to cells, as a sequence of turns, gene by gene; a cell can have several turns for the same gene. For
 * turn i, the cell is at 4i in `places`, the gene right after it, and the number of UMIs at 2i + 1 in `counts`.
 */
export interface Given {
  n: number;
  places: Uint32Array;
  counts: Float64Array;
}

/** Number of genes whose shares are prepared together, small enough for the L1 cache. */
const TILE = 64;
/** Bytes per turn: the cell, the gene, and the count as a double. */
const EVENT = 16;
/** Bytes before a gene's shares: its count, the sum of the shares, the weight of the totals, and 8 unused. */
const HEAD = 32;
/** Arrays with one double per cell: lag of its total, weight of that lag, lag in the gene, and both combined. */
const ARRAYS = 4;
const LOG = 16;

/**
 * Opens a WebAssembly kernel that allocates a spot's counts to its cells (see allocation.ts), two cells at a time and
 * bit-identical to plain loops. The next call reuses the memory that holds the result.
 */
export function openGiving(): (spot: SpotCounts) => Given {
  const { reserve, call } = openSimd([giveGenes]);
  return ({ seen, rates, capture, weight }) => {
    const n = capture.length;
    const lanes = 8 * (n + (n % 2));
    const rowBytes = HEAD + lanes;
    const statesAt = LOG;
    const tileAt = statesAt + ARRAYS * lanes;
    const eventsAt = tileAt + TILE * rowBytes;
    // Each turn gives at least one UMI.
    const most = seen.reduce((sum, count) => sum + Math.ceil(count), 0);
    const buffer = reserve(eventsAt + EVENT * most);
    const log = new Uint32Array(buffer, 0, 2);
    log[0] = eventsAt;
    log[1] = 0;
    const states = new Float64Array(buffer, statesAt, (ARRAYS * lanes) / 8).fill(0);
    states.set(weight, lanes / 8);
    if (n % 2 === 1) {
      // With an odd number of cells, the padding cell must never lag most.
      states[n] = -Infinity;
      states[lanes / 8 + n] = 1;
    }
    let everything = 0;
    for (let c = 0; c < n; c++) everything += capture[c];
    const tile = new Float64Array(buffer, tileAt, (TILE * rowBytes) / 8).fill(0);
    for (let from = 0; from < seen.length; from += TILE) {
      const to = Math.min(seen.length, from + TILE);
      shareTile(tile, rowBytes / 8, { from, to }, seen, rates, capture, everything);
      call["give"](tileAt, tileAt + (to - from) * rowBytes, lanes, statesAt, 0);
    }
    const turns = (log[0] - eventsAt) / EVENT;
    return {
      n: turns,
      places: new Uint32Array(buffer, eventsAt, (EVENT / 4) * turns),
      counts: new Float64Array(buffer, eventsAt, (EVENT / 8) * turns),
    };
  };
}

/** Computes genes' shares from rates and capture; handles only some genes so that it is called often (decision 71). */
function shareTile(
  tile: Float64Array,
  width: number,
  { from, to }: { from: number; to: number },
  seen: Float32Array,
  rates: Float64Array,
  capture: Float32Array,
  everything: number,
): void {
  const nGenes = seen.length;
  for (let gene = from, at = 0; gene < to; gene++, at += width) {
    tile[at] = seen[gene];
    tile[at + 1] = 0;
    tile[at + 2] = weightOfTotals(seen[gene], capture.length);
  }
  for (let c = 0; c < capture.length; c++) {
    const own = capture[c];
    const end = c * nGenes + to;
    for (let i = c * nGenes + from, at = 0; i < end; i++, at += width) {
      const share = rates[i] * own;
      tile[at + HEAD / 8 + c] = share;
      tile[at + 1] += share;
    }
  }
  for (let gene = from, at = 0; gene < to; gene++, at += width) {
    if (tile[at + 1] > 0) continue;
    // The model gives this gene no rate here (all its counts lie elsewhere), so share by capture alone.
    tile[at + 1] = everything;
    for (let c = 0; c < capture.length; c++) tile[at + HEAD / 8 + c] = capture[c];
  }
}

/**
 * Allocates the counts of some genes whose shares are stored consecutively. Parameters: start and end of the shares,
 * bytes of one array over cells, address of the arrays, and address of the log (end of the output so far, and next
 * gene).
 */
const giveGenes: SimdFunction = simdFunction(
  "give",
  5,
  ([at, end, lanes, totalLag, log], { vector, number }): Code => {
    const [weight, geneLag, lag] = [number(), number(), number()];
    const [i, mask, event, gene] = [number(), number(), number(), number()];
    const [left, total, part, most, taken, ofGene, ofTotal] = Array.from({ length: 7 }, () =>
      vector(),
    );
    const [l, m, t] = [left!, most!, taken!];
    const of = (array: { get: Code }): Code => plus(array.get, i.get);
    const next = i.set(plus(i.get, int(16)));
    const isLeft = isAny(isMore(l.get, ZERO));
    /** Adds the expected counts of the gene to the lags, two cells at a time. */
    const expect = [
      ...ofGene!.set(divide(multiply(l.get, load(plus(at.get, i.get), HEAD)), total!.get)),
      ...store(of(geneLag), ofGene!.get),
      ...ofTotal!.set(add(load(of(totalLag)), ofGene!.get)),
      ...store(of(totalLag), ofTotal!.get),
      ...ofGene!.set(
        add(ofGene!.get, multiply(multiply(part!.get, load(of(weight))), ofTotal!.get)),
      ),
      ...store(of(lag), ofGene!.get),
      ...m.set(greater(m.get, ofGene!.get)),
      ...next,
    ];
    /** The first cell that lags most takes a turn, with several UMIs at once if they would all go to it anyway. */
    const turn = [
      ...m.set(greater(firsts(m.get, m.get), seconds(m.get, m.get))),
      ...i.set(int(-16)),
      ...repeatWhile(isNot(mask.get), [
        ...next,
        ...mask.set(highestBitsOfTwo(areEqual(load(of(lag)), m.get))),
      ]),
      ...i.set(plus(i.get, shifted(isNot(bitsOf(mask.get, 1)), 3))),
      ...mask.set(int(0)),
      ...ofGene!.set(loadTwice(of(geneLag))),
      ...t.set(lesser(l.get, greater(doubles(1), floor(ofGene!.get)))),
      ...ofGene!.set(subtract(ofGene!.get, t.get)),
      ...storeFirst(of(geneLag), ofGene!.get),
      ...ofTotal!.set(subtract(loadTwice(of(totalLag)), t.get)),
      ...storeFirst(of(totalLag), ofTotal!.get),
      ...storeFirst(
        of(lag),
        add(ofGene!.get, multiply(multiply(part!.get, loadTwice(of(weight))), ofTotal!.get)),
      ),
      ...store32(event.get, unshifted(i.get, 3)),
      ...store32(event.get, gene.get, 4),
      ...storeFirst(event.get, t.get, 8),
      ...event.set(plus(event.get, int(EVENT))),
      ...l.set(subtract(l.get, t.get)),
    ];
    const whoLagsMost = [
      ...m.set(doubles(-Infinity)),
      ...i.set(int(0)),
      ...repeatWhile(isLess(i.get, lanes.get), [...m.set(greater(m.get, load(of(lag)))), ...next]),
    ];
    return [
      ...weight.set(plus(totalLag.get, lanes.get)),
      ...geneLag.set(plus(weight.get, lanes.get)),
      ...lag.set(plus(geneLag.get, lanes.get)),
      ...event.set(load32(log.get)),
      ...gene.set(load32(plus(log.get, int(4)))),
      ...mask.set(int(0)),
      ...repeatWhile(isLess(at.get, end.get), [
        ...l.set(loadTwice(at.get)),
        ...when(
          isLeft,
          [
            ...total!.set(loadTwice(at.get, 8)),
            ...part!.set(loadTwice(at.get, 16)),
            ...m.set(doubles(-Infinity)),
            ...i.set(int(0)),
            ...repeatWhile(isLess(i.get, lanes.get), expect),
            ...repeat([...turn, ...leaveWhen(isNot(isLeft)), ...whoLagsMost]),
          ],
          [],
        ),
        ...at.set(plus(plus(at.get, lanes.get), int(HEAD))),
        ...gene.set(plus(gene.get, int(1))),
      ]),
      ...store32(log.get, event.get),
      ...store32(log.get, gene.get, 4),
    ];
  },
);
