import { LN_TABLE, LN_TABLE_BITS, SERIES_BELOW } from "../log1p.ts";
import {
  add,
  bitsOf,
  firsts,
  int,
  load,
  long,
  multiply,
  plus,
  seconds,
  shifted,
  subtract,
  unshifted,
  type Code,
  type Local,
} from "./assembler.ts";
import {
  areLess,
  choose,
  doubles,
  longsAsDoubles,
  longsMinus,
  longsShifted,
  longsTwice,
  longsUnshifted,
  wordOf,
} from "./words.ts";

/** Size of the table that {@link log1pCode} reads. */
export const LOG1P_BYTES = LN_TABLE.byteLength;

/** x · (factors[0] − x · (factors[1] − …)). */
const series = (x: Code, factors: readonly number[]): Code =>
  multiply(
    x,
    factors
      .slice(0, -1)
      .reduceRight(
        (inner, factor) => subtract(doubles(factor), multiply(x, inner)),
        doubles(factors.at(-1)!),
      ),
  );

/** Replaces both doubles of `x` by their `log1pOf`, bit for bit. `table`: address of {@link LN_TABLE}. */
export function log1pCode(
  x: Local,
  table: Code,
  local: { number(): Local; vector(): Local },
): Code {
  const [y, r, biased, pair0, pair1] = Array.from({ length: 5 }, () => local.vector());
  const one = doubles(1);
  const partOf = (word: 1 | 3): Code =>
    shifted(
      bitsOf(unshifted(wordOf(y!.get, word), 20 - LN_TABLE_BITS), (1 << LN_TABLE_BITS) - 1),
      4,
    );
  const logOf = add(
    multiply(subtract(longsAsDoubles(biased!.get), doubles(1023)), doubles(Math.LN2)),
    firsts(pair0!.get, pair1!.get),
  );
  return [
    ...y!.set(add(one, x.get)),
    ...pair0!.set(load(plus(table, partOf(1)))),
    ...pair1!.set(load(plus(table, partOf(3)))),
    ...biased!.set(longsUnshifted(y!.get, int(52))),
    // 2 to the power of minus the exponent.
    ...r!.set(longsShifted(longsMinus(longsTwice(long(2046n)), biased!.get), int(52))),
    ...r!.set(multiply(multiply(y!.get, r!.get), seconds(pair0!.get, pair1!.get))),
    ...r!.set(subtract(r!.get, one)),
    ...x.set(
      choose(
        series(x.get, [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 6]),
        add(logOf, series(r!.get, [1, 1 / 2, 1 / 3, 1 / 4])),
        areLess(x.get, doubles(SERIES_BELOW)),
      ),
    ),
  ];
}
