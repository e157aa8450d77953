import {
  add,
  int,
  isLess,
  load,
  loadFloats,
  loadTwice,
  multiply,
  plus,
  repeatWhile,
  simdFunction,
  store,
  type Code,
  type SimdFunction,
} from "./assembler.ts";

/**
 * sum ← sum + Σ share · row, row by row. Parameters: start and end of the sum, address of the shares (doubles), and
 * address of each row. Two values at a time, so sums must have even length.
 */
export function addRows(name: string, nRows: number, rowsOf: "floats" | "doubles"): SimdFunction {
  const [loadRow, bytes] = rowsOf === "floats" ? [loadFloats, 8] : [load, 16];
  return simdFunction(name, 3 + nRows, ([at, end, shares, ...rows], { vector }): Code => {
    const factors = rows.map(() => vector());
    const sum = vector();
    return [
      ...factors.flatMap((factor, i) => factor.set(loadTwice(shares.get, 8 * i))),
      ...repeatWhile(isLess(at.get, end.get), [
        ...sum.set(load(at.get)),
        ...rows.flatMap((row, i) => [
          ...sum.set(add(sum.get, multiply(factors[i].get, loadRow(row.get)))),
          ...row.set(plus(row.get, int(bytes))),
        ]),
        ...store(at.get, sum.get),
        ...at.set(plus(at.get, int(16))),
      ]),
    ];
  });
}
