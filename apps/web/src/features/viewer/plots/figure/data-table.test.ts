import { expect, it } from "vitest";
import { tableFile } from "./figure.ts";
import { numberText } from "./number-text.ts";

it("writes a figure's numbers as CSV, leaving missing values empty", async () => {
  const file = await tableFile({
    columns: [
      { name: "group", kind: "text" },
      { name: "mean, rate", kind: "number" },
    ],
    rows: [
      ["B cells, mine", 0.1 + 0.2],
      ["=T", null],
      ["", 2.5e-138],
    ],
  });
  expect(await file.text()).toBe(
    'group,"mean, rate"\r\n"B cells, mine",0.3\r\n\'=T,\r\n,2.5e-138\r\n',
  );
});

it("formats numbers readably", () => {
  const values = [0, 1234567, -0.12345, 0.00123, 2.51e-138, -0.0001];
  expect(values.map(numberText)).toEqual([
    "0",
    "1,230,000",
    "−0.123",
    "0.00123",
    "2.5e−138",
    "−1.0e−4",
  ]);
});
