import { sampleNameFault } from "@stipple/contract/sample-sheet";
import type { Study } from "@stipple/contract/routes/studies";
import { expect, it } from "vitest";
import type { ChoiceSchema } from "../../../project/choices/choice-schema.ts";
import { checkFiles, continuedBy, rowFault } from "./check-row.ts";
import {
  designValue,
  intakeOf,
  NOTHING_SHARED,
  sharedOf,
  withKnownColumns,
  type Intake,
} from "./intake.ts";
import { TABLE_FAULTS } from "../texts.ts";
import { FAULTS } from "./texts.ts";

const picked = (path: string, text = "x") => ({
  path,
  file: new File([text], path.split("/").at(-1)!),
});
const sample = (folder: string) =>
  ["filtered_feature_bc_matrix.h5", "spatial/tissue_positions.csv", "image.tif"].map((name) =>
    picked(`${folder}/${name}`),
  );

async function read(...files: Parameters<typeof intakeOf>[0]): Promise<Intake> {
  const intake = await intakeOf(files);
  if (typeof intake === "string") throw new Error(intake);
  return intake;
}

it("takes each folder in the dropped one as a sample, in the order of their numbers", async () => {
  const { rows, sheet } = await read(
    ...sample("study/S10/outs"),
    ...sample("study/S2/outs"),
    picked("study/notes.pdf"),
    picked("study/__MACOSX/S2/._image.tif"),
    picked("study/.ipynb_checkpoints/plot.csv"),
  );
  expect([sheet, rows.map(({ name }) => name)]).toEqual([null, ["S2", "S10"]]);
  expect(rows[0]!.files[0]!.path).toBe("S2/outs/filtered_feature_bc_matrix.h5");
  const one = await read(...sample("S1/outs"));
  expect(one.rows.map(({ name }) => name)).toEqual(["S1"]);
  const two = await read(...sample("A"), ...sample("B"));
  expect(two.rows.map(({ name }) => name)).toEqual(["A", "B"]);
  expect(await intakeOf([picked("a.tif")])).toBe(FAULTS.noFolders);
});

it("takes folders as macOS writes their names, with and without a sheet", async () => {
  const folders = sample("Studie/Ko\u0308ln 1");
  const { rows } = await read(...folders);
  expect(rows.map(({ name }) => [name, sampleNameFault(name)])).toEqual([["K\u00f6ln 1", null]]);
  const sheet = picked("Studie/sheet.csv", "sample,folder\nA,K\u00f6ln 1\n");
  expect((await read(sheet, ...folders)).rows[0]!.fault).toBeNull();
  // Letters with signs that no single character has.
  expect(sampleNameFault("\u0930\u094b\u0917\u0940 1")).toBeNull();
});

it("refuses a sheet whose letters cannot be told", async () => {
  const text = "sample,folder,condition\nA,S1,K\u00f6ln\n";
  const file = new File([Uint8Array.from(text, (one) => one.charCodeAt(0))], "sheet.csv");
  expect(await intakeOf([{ path: "sheet.csv", file }])).toBe(TABLE_FAULTS.encoding("sheet.csv"));
});

it("finds a sheet's folders and files wherever they were dropped, and says which it does not find", async () => {
  const lines = [
    "sample,folder,platform,regions,Condition,age",
    "A1,S1/outs,visium,regions/S1.geojson,tumor,61",
    "A2,../lab/S2,visium,,normal,",
    "A3,S3,visium,,normal,",
    "A4,S1/outs,visium,none.geojson,normal,",
    "A5,outs,visium,,normal,",
    "A6,S1/outs,visium,,normal, left,61",
  ];
  const text = `${lines.join("\n")}\n`;
  const files = [
    ...sample("data/S1/outs"),
    ...sample("data/S2/outs"),
    picked("data/regions/S1.geojson"),
  ];
  const intake = await read(picked("sheet.csv", text), ...files);
  const { rows, columns, sheet } = intake;
  expect([columns, sheet]).toEqual([["Condition", "age"], "sheet.csv"]);
  expect(rows.map(({ fault }) => fault)).toEqual([
    ...[null, null, FAULTS.folderMissing("S3"), FAULTS.fileMissing("none.geojson")],
    FAULTS.severalPlaces("outs", "data/S1/outs, data/S2/outs"),
    '"61" is past the last column: name that column, or put quotation marks around text that contains a comma or semicolon.',
  ]);
  expect(rows[0]).toMatchObject({ extra: { regions: { path: "data/regions/S1.geojson" } } });
  expect(rows[1]!.files[0]!.path).toBe("S2/outs/filtered_feature_bc_matrix.h5");
  expect(sharedOf(intake, NOTHING_SHARED)).toMatchObject({ platform: null, staining: "" });
  expect(await intakeOf([picked("sheet.csv", text)])).toBe(FAULTS.noFiles);
  expect(await intakeOf([picked("sheet.csv", lines[0]), ...files])).toBe(
    FAULTS.emptySheet("sheet.csv"),
  );
  expect(await intakeOf([picked("a.csv", text), picked("b.csv", text), ...files])).toBe(
    FAULTS.twoSheets("a.csv, b.csv"),
  );
});

it("calls the columns of a sheet as the study does", async () => {
  const text = "sample,folder,Condition,AGE,gro\u0308\u00dfe,Slide,slide\nA,S1,tumor,61,5,,V1\n";
  const found = await read(picked("sheet.csv", text), ...sample("S1"));
  const { columns, rows } = withKnownColumns(found, [
    "condition",
    "patient",
    "Age",
    "gr\u00f6\u00dfe",
  ]);
  expect(columns).toEqual(["condition", "Age", "gr\u00f6\u00dfe", "Slide"]);
  const [row] = rows;
  expect(columns.map((column) => designValue(row!, column))).toEqual(["tumor", "61", "5", "V1"]);
  expect(designValue(row!, "constructor")).toBe("");
});

it("says in a sentence what is wrong with a row, and continues a sample without results", async () => {
  const { rows } = await read(...["S1", "S2", "S3"].flatMap((name) => sample(`study/${name}`)));
  const shared = { ...NOTHING_SHARED, platform: "hd_visium", staining: "h_and_e" };
  const study = {
    samples: [
      { name: "S2", project_id: "p2", status: "created", waits: false },
      { name: "S3", project_id: "p3", status: "completed", waits: false },
    ],
  } as Study;
  const twice = rows.map((row, i) => (i === 1 ? { ...row, name: "S1" } : row));
  const fault = (of: typeof rows, i: number, set = shared): string | null =>
    rowFault(of[i]!, { rows: of, shared: set, study, schema: undefined });
  expect(fault(rows, 0)).toBe("Choose the bin size.");
  expect(fault(rows, 0, { ...shared, resolution: "8" })).toBeNull();
  expect(fault(rows, 0, { ...shared, staining: "" })).toBe("Choose the staining.");
  expect(fault(rows, 0, { ...shared, platform: "xenium" })).toMatch(/^"xenium" is not a platform/);
  expect(fault(twice, 1)).toBe("There is a sample S1 already; give each its own name.");
  expect(fault(rows, 1)).toBeNull();
  expect(continuedBy("S2", study)?.project_id).toBe("p2");
  expect(fault(rows, 2)).toBe(FAULTS.inStudy("S3"));
});

it("says which settings of a sheet there are not, and takes other names of tissues", async () => {
  const values = ["tissue,seed,segmentation,staining", "Colon,7,network,h_and_e"];
  const wrong = ["Moon,,,if", ",-1,,if", ",,magic,if", ",,,H&E"];
  const lines = [...values, ...wrong].map((line, i) =>
    i === 0 ? `sample,folder,platform,${line}` : `S${i},S${i},visium,${line}`,
  );
  const names = ["S1", "S2", "S3", "S4", "S5"];
  const { rows } = await read(
    picked("sheet.csv", lines.join("\n")),
    ...names.flatMap((name) => sample(`study/${name}`)),
  );
  const schema: ChoiceSchema = {
    properties: {
      tissue: { enum: ["brain", "intestine"] },
      seed: { type: "integer" },
      segmentation: { enum: ["network", "space_ranger"] },
    },
  };
  const shared = { ...NOTHING_SHARED, platform: null, staining: null, tissue: null };
  const fault = (set: ChoiceSchema | undefined) =>
    rows.map((row) => rowFault(row, { rows, shared, study: undefined, schema: set }));
  expect(rows[0]!.own.tissue).toBe("intestine");
  expect(fault(schema)).toEqual([
    null,
    FAULTS.unknown("tissue", "Moon"),
    FAULTS.noNumber("seed", "-1"),
    FAULTS.unknownInSheet("segmentation", "magic", "network or space_ranger"),
    FAULTS.unknown("staining", "H&E"),
  ]);
});

it("names the files that are missing, unless the server has them", async () => {
  const { rows } = await read(...sample("S1").slice(1), ...sample("S2").slice(1));
  const options = { platform: "visium", resolution: undefined } as const;
  const checked = await checkFiles(rows[0]!, options, ["h5", "positions", "he_image"]);
  expect(checked.fault).toBeNull();
  const { fault } = await checkFiles(rows[0]!, options, []);
  expect(fault).toMatch(/^Missing: .*Matrix/);
  const extra = { fineBins: picked("fine.h5") };
  expect((await checkFiles({ ...rows[0]!, extra }, options, [])).fault).toBe(
    FAULTS.notOffered("fineBins", "Visium"),
  );
});
