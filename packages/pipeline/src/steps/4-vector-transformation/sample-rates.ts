import {
  add,
  int,
  isLess,
  load,
  loadTwice,
  multiply,
  openSimd,
  plus,
  repeatWhile,
  simdFunction,
  store,
  ZERO,
  type Code,
  type SimdFunction,
} from "../../numerics/simd/assembler.ts";

/** Number of bootstrap samples: four vectors of two. */
export const SAMPLES = 8;

/** Rates of one gene in some cells, in every bootstrap sample. */
export interface SampleRates {
  /** Memberships of up to `most` cells, cells × k; filled by the caller. */
  members: Float64Array;
  /** Rates of the gene, k × samples; filled by the caller. */
  profile: Float64Array;
  /** Σ_k member · profile for the first n cells, cells × samples, in memory that the next call reuses. */
  of(n: number): Float64Array;
}

/** Opens the sums in WebAssembly: bit-identical to plain loops, in a third of the time. */
export function openSampleRates(k: number, most: number): SampleRates {
  const { reserve, call } = openSimd([addMembers(k)]);
  const membersAt = 8 * SAMPLES * k;
  const ratesAt = membersAt + 16 * Math.ceil((most * k) / 2);
  const buffer = reserve(ratesAt + 8 * SAMPLES * most);
  const rates = new Float64Array(buffer, ratesAt, SAMPLES * most);
  return {
    members: new Float64Array(buffer, membersAt, most * k),
    profile: new Float64Array(buffer, 0, SAMPLES * k),
    of(n) {
      if (n > 0) call["addMembers"](membersAt, membersAt + 8 * k * n, ratesAt);
      return rates;
    },
  };
}

function addMembers(k: number): SimdFunction {
  return simdFunction("addMembers", 3, ([member, end, rates], { vector, number }): Code => {
    const sums = Array.from({ length: SAMPLES / 2 }, () => vector());
    const [profile, share] = [number(), vector()];
    return repeatWhile(isLess(member.get, end.get), [
      ...sums.flatMap((sum) => sum.set(ZERO)),
      ...profile.set(int(0)),
      ...repeatWhile(isLess(profile.get, int(8 * SAMPLES * k)), [
        ...share.set(loadTwice(member.get)),
        ...sums.flatMap((sum, i) =>
          sum.set(add(sum.get, multiply(share.get, load(profile.get, 16 * i)))),
        ),
        ...member.set(plus(member.get, int(8))),
        ...profile.set(plus(profile.get, int(8 * SAMPLES))),
      ]),
      ...sums.flatMap((sum, i) => store(rates.get, sum.get, 16 * i)),
      ...rates.set(plus(rates.get, int(8 * SAMPLES))),
    ]);
  });
}
