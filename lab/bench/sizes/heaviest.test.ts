import { expect, it } from "vitest";
import { heaviest } from "./heaviest.ts";

it("sums a function's tiers and unnamed code from perf's table", () => {
  const report = [
    " 30.00% \t[JIT] tid 7        \t[.] JS:*fit file:///home/me/em-round.ts:4:1   \t-      -  ",
    " 12.50% \t[JIT] tid 7        \t[.] JS:^fit file:///home/me/em-round.ts:4:1   \t-      -  ",
    " 20.00% \tlibonnxruntime.so.1\t[.] 0x0000000000bffb74                        \t-      -  ",
    " 15.00% \tlibonnxruntime.so.1\t[.] 0x0000000000bffb78                        \t-      -  ",
    " 11.00% \tnode               \t[.] v8::internal::ConcurrentMarking::RunMajor \t-      -  ",
    "  7.00% \tnode               \t[.] Builtins_KeyedLoadIC                      \t-      -  ",
    "  4.50% \t[kernel.kallsyms]  \t[k] exc_page_fault                            \t-      -  ",
  ].join("\n");
  expect(heaviest(report, 5)).toEqual([
    { name: "fit (em-round.ts)", share: 0.425 },
    { name: "libonnxruntime.so.1", share: 0.35 },
    { name: "garbage collection", share: 0.11 },
    { name: "V8's built-in functions", share: 0.07 },
    { name: "the kernel", share: 0.045 },
  ]);
});
