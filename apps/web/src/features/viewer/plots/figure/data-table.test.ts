import { expect, it } from "vitest";
import { csvText } from "./data-table.ts";

it("writes tables that every spreadsheet reads", () => {
  const text = csvText({
    columns: [
      { name: "group", kind: "text" },
      { name: "mean, rate", kind: "number" },
    ],
    rows: [
      ['B cells, "naive"', 0.1 + 0.2],
      ["two\nlines", null],
      ["Færöe", Number.NaN],
      ["", -1e-21],
    ],
  });
  expect(text).toBe(
    'group,"mean, rate"\r\n"B cells, ""naive""",0.30000000000000004\r\n"two\nlines",\r\nFæröe,\r\n,-1e-21\r\n',
  );
});
