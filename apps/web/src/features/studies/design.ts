import { csvText, readCsv, textOfCsv } from "@stipple/contract/csv";
import { MAX_STUDY_COLUMNS, type StudySample } from "@stipple/contract/routes/studies";
import { designColumns, surplusFault } from "@stipple/contract/sample-sheet";
import { DESIGN_TEXTS as TEXTS } from "./texts.ts";

/** The design as it is edited. */
export interface Design {
  columns: readonly string[];
  samples: readonly StudySample[];
}

export const FIXED_COLUMNS = ["condition", "patient", "batch"] as const;

type Cells = Pick<StudySample, (typeof FIXED_COLUMNS)[number] | "more">;

/** What a sample has in a column, fixed or further. */
export function cellOf(sample: Cells, column: string): string {
  if (isFixed(column)) return sample[column];
  // A column may be called "constructor".
  return Object.hasOwn(sample.more, column) ? sample.more[column]! : "";
}

export function withCell(sample: StudySample, column: string, value: string): StudySample {
  return isFixed(column)
    ? { ...sample, [column]: value }
    : { ...sample, more: { ...sample.more, [column]: value } };
}

/** The design with a sample one row up; figures and tables of the study follow the order of its rows. */
export function withMoved(design: Design, row: number): Design {
  const { samples } = design;
  return { ...design, samples: samples.toSpliced(row - 1, 2, samples[row]!, samples[row - 1]!) };
}

function isFixed(column: string): column is (typeof FIXED_COLUMNS)[number] {
  return FIXED_COLUMNS.some((name) => name === column);
}

/** What the server says of a sample's project; no part of the design. */
type RunState = "status" | "storage_expiry" | "waits" | "refusal";

/** What is sent to be stored. */
export function sent({ columns, samples }: Design): {
  columns: string[];
  samples: Omit<StudySample, RunState>[];
} {
  return {
    columns: [...columns],
    samples: samples.map(
      ({ status: _, storage_expiry: __, waits: ___, refusal: ____, ...sample }) => sample,
    ),
  };
}

/** Whether two designs would be stored alike. */
export function isSame(a: Design, b: Design): boolean {
  return JSON.stringify(sent(a)) === JSON.stringify(sent(b));
}

type Sent = ReturnType<typeof sent>["samples"];

/** The samples with a further one, which takes the place of one of its name whose project was deleted, and what it was. */
export function withSample(samples: Sent, added: Sent[number]): Sent {
  const at = samples.findIndex(({ project_id: id, name }) => id === null && name === added.name);
  const ended = samples[at];
  if (!ended) return [...samples, added];
  const { condition, patient, batch, more } = added;
  const filled = Object.entries(more).filter(([, value]) => value !== "");
  return samples.with(at, {
    ...added,
    condition: condition || ended.condition,
    patient: patient || ended.patient,
    batch: batch || ended.batch,
    more: { ...ended.more, ...Object.fromEntries(filled) },
  });
}

/** A design that was edited, with what `from`, the stored one that it began as, has since become elsewhere. */
export function rebased(edited: Design, from: Design, now: Design): Design {
  const isOurs = (column: string): boolean => !from.columns.includes(column);
  const columns = [
    ...now.columns.filter((column) => isOurs(column) || edited.columns.includes(column)),
    ...edited.columns.filter((column) => isOurs(column) && !now.columns.includes(column)),
  ];
  const there = now.samples.flatMap((sample) => {
    const [own, before] = [sameSample(edited, sample), sameSample(from, sample)];
    if (!own) return before ? [] : [sample];
    const changed = [...FIXED_COLUMNS, ...columns].filter(
      (column) => cellOf(own, column) !== (before ? cellOf(before, column) : ""),
    );
    return [changed.reduce((row, column) => withCell(row, column, cellOf(own, column)), sample)];
  });
  const added = edited.samples.filter(
    (sample) => !sameSample(from, sample) && !sameSample(now, sample),
  );
  const samples = [...there, ...added];
  const isMoved = orderOf(edited, from) !== orderOf(from, edited);
  return { columns, samples: isMoved ? inOrderOf(edited, samples) : samples };
}

/** The order of the samples that another design has as well. */
function orderOf({ samples }: Design, other: Design): string {
  const common = samples.filter((sample) => sameSample(other, sample));
  return JSON.stringify(common.map(({ project_id: id, name }) => id ?? name));
}

/** Samples in the order of a design; those that it lacks are last. */
function inOrderOf(design: Design, samples: readonly StudySample[]): StudySample[] {
  const place = (sample: StudySample): number => {
    const own = sameSample(design, sample);
    return own ? design.samples.indexOf(own) : design.samples.length;
  };
  return samples.toSorted((a, b) => place(a) - place(b));
}

function sameSample({ samples }: Design, wanted: StudySample): StudySample | undefined {
  return samples.find(({ project_id: id, name }) =>
    id === null ? wanted.project_id === null && wanted.name === name : id === wanted.project_id,
  );
}

/** A row for each sample. */
export function designCsv({ columns, samples }: Design): string {
  const all = [...FIXED_COLUMNS, ...columns];
  const rows = [
    ["sample", ...all],
    ...samples.map((sample) => [sample.name, ...all.map((column) => cellOf(sample, column))]),
  ];
  return rows.map((cells) => `${cells.map(csvText).join()}\n`).join("");
}

/** The design with the cells of a table; columns and samples that it lacks stay. A sentence says what is wrong with it. */
export function withCsv(design: Design, text: string): { design: Design; rows: number } | string {
  const [head, ...rows] = readCsv(text);
  const names = (head ?? []).map((name) => textOfCsv(name).trim().normalize());
  const at = names.findIndex((name) => name.toLowerCase() === "sample");
  if (at < 0) return TEXTS.noSampleColumn;
  const known = [...FIXED_COLUMNS, ...design.columns];
  const described = designColumns(names);
  const columns = names.map((name) => {
    const stored = known.find((one) => one.toLowerCase() === name.toLowerCase());
    return stored ?? (described.includes(name) ? name : "");
  });
  const further = columns.filter(
    (name, i) => name !== "" && !known.includes(name) && columns.indexOf(name) === i,
  );
  const all = [...design.columns, ...further];
  if (all.length > MAX_STUDY_COLUMNS) return TEXTS.tooManyColumns(MAX_STUDY_COLUMNS);
  const samples = [...design.samples];
  const seen = new Set<string>();
  for (const cells of rows) {
    const name = textOfCsv(cells[at] ?? "").trim();
    const surplus = surplusFault(cells, names.length);
    if (surplus !== null) return `${name}: ${surplus}`;
    const row = samples.findIndex((sample) => sample.name.normalize() === name.normalize());
    if (row < 0) return TEXTS.unknownSample(name);
    if (seen.has(name)) return TEXTS.twice(name);
    seen.add(name);
    columns.forEach((column, i) => {
      if (column === "") return;
      samples[row] = withCell(samples[row]!, column, textOfCsv(cells[i] ?? "").trim());
    });
  }
  return { design: { columns: all, samples }, rows: seen.size };
}
