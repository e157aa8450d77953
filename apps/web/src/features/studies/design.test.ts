import { STUDY_MEASURES, type StudySample } from "@stipple/contract/routes/studies";
import { expect, it } from "vitest";
import { tableText } from "../../project/table-text.ts";
import { titleOf } from "./design-table.tsx";
import {
  cellOf,
  designCsv,
  isSame,
  rebased,
  sent,
  withCsv,
  withMoved,
  withSample,
  type Design,
} from "./design.ts";
import { DESIGN_TEXTS as TEXTS } from "./texts.ts";

const sample = (name: string, condition: string): StudySample => ({
  ...{
    project_id: name,
    name,
    status: "completed",
    storage_expiry: null,
    waits: false,
    refusal: null,
  },
  ...{ condition, patient: "", batch: "", more: { slide: "S1" } },
});
const design: Design = {
  columns: ["slide"],
  samples: [sample('A, "first"', "normal"), sample("B", "=tumor")],
};

it("writes the design as CSV and reads it back", () => {
  const text = designCsv(design);
  expect(text).toBe(
    'sample,condition,patient,batch,slide\n"A, ""first""",normal,,,S1\nB,\'=tumor,,,S1\n',
  );
  const read = withCsv(design, text);
  expect(typeof read === "object" && isSame(read.design, design)).toBe(true);
});

it("takes further columns, and leaves what the table lacks", () => {
  const read = withCsv(design, "\ufeffAge;Sample;Condition\r\n61;B;treated\r\n");
  expect(read).toMatchObject({
    rows: 1,
    design: {
      columns: ["slide", "Age"],
      samples: [
        { condition: "normal" },
        { condition: "treated", more: { slide: "S1", Age: "61" } },
      ],
    },
  });
});

it("takes the design alone from a study's table and from a sample sheet", () => {
  const measured = STUDY_MEASURES.map(() => "1").join();
  const table = `sample,condition,slide,cells per mm²,${STUDY_MEASURES.join()}\nB,treated,S2,9,${measured}\n`;
  const sheet =
    "Sample,Folder,Platform,Analysis type,regions,condition,slide\nB,b,visium,basic,b.geojson,treated,S2\n";
  const of = (read: ReturnType<typeof withCsv>) => typeof read === "object" && read.design;
  expect(of(withCsv(design, sheet))).toMatchObject({
    columns: ["slide"],
    samples: [{}, { condition: "treated", more: { slide: "S2" } }],
  });
  expect(of(withCsv(design, table))).toMatchObject({ columns: ["slide", "cells per mm²"] });
  // A column of that name in another table is the person's own.
  expect(of(withCsv(design, "sample,cells\nB,9\n"))).toMatchObject({ columns: ["slide", "cells"] });
});

it("knows a column whose letters are written as two characters", () => {
  const koln = { ...design, columns: ["k\u00f6ln"] };
  expect(withCsv(koln, "sample,Ko\u0308ln\nB,5\n")).toMatchObject({
    design: { columns: ["k\u00f6ln"], samples: [{}, { more: { "k\u00f6ln": "5" } }] },
  });
});

it("has columns called as what every object has", () => {
  const read = withCsv(design, "sample,folder,constructor\nB,b,Ada\n");
  const { columns, samples } = (read as Exclude<typeof read, string>).design;
  expect(columns).toEqual(["slide", "constructor"]);
  expect(columns.map(titleOf)).toEqual(columns);
  expect(samples.map((one) => cellOf(one, "constructor"))).toEqual(["", "Ada"]);
});

it("puts a sample in the place of one of its name whose project was deleted", () => {
  const { samples } = sent(design);
  const ended = samples.map((one) => ({ ...one, project_id: null }));
  const added = {
    ...samples[1]!,
    project_id: "new",
    condition: "",
    more: { slide: "", age: "61" },
  };
  expect(withSample(ended, added)).toEqual([
    ended[0],
    { ...added, condition: "=tumor", more: { slide: "S1", age: "61" } },
  ]);
  expect(withSample(samples, added)).toEqual([...samples, added]);
});

it("says what is wrong with a table", () => {
  expect(withCsv(design, "name,condition\nB,x\n")).toBe(TEXTS.noSampleColumn);
  expect(withCsv(design, "sample\nC\n")).toBe(TEXTS.unknownSample("C"));
  expect(withCsv(design, "sample\nB\nB\n")).toBe(TEXTS.twice("B"));
  expect(withCsv(design, "sample,note,condition\nB,old, left,treated\n")).toBe(
    'B: "treated" is past the last column: name that column, or put quotation marks around text that contains a comma or semicolon.',
  );
  const many = Array.from({ length: 20 }, (_, i) => `c${i}`).join();
  expect(withCsv(design, `sample,${many}\n`)).toBe(TEXTS.tooManyColumns(20));
});

it("reads tables as spreadsheets write them, and refuses letters that cannot be told", async () => {
  const text = "sample\tcondition\nB\tK\u00f6ln\n";
  const utf16 = new Blob([
    new Uint8Array([255, 254]),
    Uint16Array.from(text, (one) => one.charCodeAt(0)),
  ]);
  expect(await tableText(utf16)).toBe(text);
  expect(await tableText(new Blob([text]))).toBe(text);
  const latin1 = Uint8Array.from(text, (one) => one.charCodeAt(0));
  expect(await tableText(new Blob([latin1]))).toBeNull();
});

it("carries changes over to a design that was changed elsewhere", () => {
  const [first, second] = design.samples;
  const edited: Design = {
    columns: ["age"],
    samples: [{ ...first!, condition: "treated", more: { age: "61" } }, sample("D", "normal")],
  };
  const now: Design = {
    columns: ["slide", "day"],
    samples: [
      { ...first!, patient: "P1", more: { slide: "S2", day: "3" } },
      { ...second!, condition: "changed" },
      sample("C", "tumor"),
    ],
  };
  expect(rebased(edited, design, now)).toEqual({
    columns: ["day", "age"],
    samples: [
      {
        ...{ ...first, condition: "treated", patient: "P1" },
        more: { slide: "S2", day: "3", age: "61" },
      },
      sample("C", "tumor"),
      sample("D", "normal"),
    ],
  });
  expect(rebased(design, design, now)).toEqual(now);
});

it("moves a sample up, and keeps that when the study was changed elsewhere", () => {
  const names = (of: Design) => of.samples.map(({ name }) => name);
  const three = { ...design, samples: ["A", "B", "C"].map((name) => sample(name, "")) };
  const moved = withMoved(three, 2);
  expect(names(moved)).toEqual(["A", "C", "B"]);
  expect(isSame(moved, three)).toBe(false);
  const now = { ...three, samples: ["D", "B", "C"].map((name) => sample(name, "")) };
  expect(names(rebased(moved, three, now))).toEqual(["C", "B", "D"]);
  // Moved there, not here.
  expect(names(rebased(three, three, moved))).toEqual(["A", "C", "B"]);
});
