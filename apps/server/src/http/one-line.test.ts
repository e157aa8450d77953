import { expect, it } from "vitest";
import { isBlank, isOneLine } from "./one-line.ts";

it.each(["Mouse brain", "مخ الفأر", "Gehirn é 👩‍🔬", "=1+1", "<b>", "a\u200fb"])(
  "accepts %j",
  (name) => {
    expect(isOneLine(name)).toBe(true);
    expect(isBlank(name)).toBe(false);
  },
);

it.each([
  "a\nb",
  "a\tb",
  "bell\u0007",
  "a\u0000",
  "a\u2028b",
  "\u202efit.exe",
  "a\u2066b",
  "\ud800",
])("refuses %j", (name) => expect(isOneLine(name)).toBe(false));

it.each(["", "  ", "\u200b\u200b", "\u00a0", "\u2800", "\ufeff"])("sees nothing in %j", (name) => {
  expect(isBlank(name)).toBe(true);
});
