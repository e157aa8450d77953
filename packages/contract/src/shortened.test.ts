import { expect, it } from "vitest";
import { shortened } from "./shortened.ts";

it("cuts no character in half", () => {
  expect(shortened("ab😀", 4)).toBe("ab😀");
  expect(shortened("ab😀", 3)).toBe("ab");
  expect(shortened("ab", 3)).toBe("ab");
});
