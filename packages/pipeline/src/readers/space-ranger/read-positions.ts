import { basename } from "node:path";
import type { Platform } from "@stipple/contract";
import { asyncBufferFromFile, parquetReadObjects, type FileMetaData } from "hyparquet";
import { InputError } from "../../errors.ts";
import { contentKind, faultOfContent, headOfFile, TEXT_KINDS } from "../content-kind.ts";
import { CODECS } from "@stipple/formats/parquet/codecs";
import { readSoundMetadata } from "@stipple/formats/parquet/sound-metadata";
import { DeclaredBounds } from "@stipple/formats/parquet/bounds";
import type { SampleFiles } from "../sample-files.ts";
import type { Positions } from "../sample.ts";
import { isMissing } from "../tables/cell-values.ts";
import { planColumns, type ColumnPlan, type Fail } from "../tables/plan-columns.ts";
import { isBlank, openTextTable } from "../tables/text-table.ts";
import {
  POSITION_COLUMNS,
  PositionRows,
  type PositionCells,
  type PositionColumn,
  type Refusing,
} from "./position-rows.ts";

const WANTED = {
  what: "the table of positions",
  remedy: "use tissue_positions.csv or tissue_positions.parquet from Space Ranger's spatial folder",
};

/**
 * Reads spot positions from any Space Ranger version: headerless CSV (1), CSV with header (2 and later), Parquet
 * (HD); even after another program saved the table again, as long as every column's meaning is certain, which
 * `warn` is told. Throws {@link InputError} that names the invalid line, and for tables of several capture areas.
 * O(spots).
 */
export async function readPositions(
  source: SampleFiles["positions"],
  warn: (message: string) => void = () => undefined,
  noun: Platform["spotNoun"] = "spot",
): Promise<Positions> {
  const file = basename(source.path);
  const fail: Fail = (what, remedy) => {
    throw new InputError(`${file} ${what}: ${remedy}.`);
  };
  const head = await headOfFile(source.path).catch((cause: NodeJS.ErrnoException) => {
    throw new InputError(
      `${file} cannot be read (${cause.code ?? "unknown reason"}): copy it again.`,
      { cause },
    );
  });
  const kinds = [...TEXT_KINDS, "gzip", "parquet"] as const;
  const fault = faultOfContent(file, head, { ...WANTED, kinds });
  if (fault !== null) throw new InputError(fault);
  const isParquet = contentKind(head) === "parquet";
  const table: Table = isParquet
    ? await openParquet(source.path, file, { fail, noun })
    : await openText(source.path, { fail, noun });
  const rows = new PositionRows(file, table.plan.mark, { fail, noun });
  const oddities = [...table.plan.oddities];
  let hasWords = false;
  for await (const { cells, place } of table.rows()) {
    hasWords ||= !isParquet && /^[tf]/i.test(String(cells.in_tissue ?? ""));
    rows.add(cells, place);
  }
  if (hasWords) oddities.push("TRUE and FALSE for in_tissue");
  oddities.push(...table.oddities);
  if (oddities.length > 0) {
    warn(
      `Another program saved ${file} (it has ${oddities.join(", ")}). The meaning of its columns is clear, so it was used.`,
    );
  }
  return rows.finish(warn);
}

interface Table {
  plan: ColumnPlan<PositionColumn>;
  rows(): AsyncGenerator<{ cells: PositionCells; place: string }>;
  oddities: string[];
}

async function openText(path: string, { fail, noun }: Refusing): Promise<Table> {
  const table = await openTextTable(path, { wanted: WANTED });
  const sample = table.sample.map(({ cells }) => cells).filter((cells) => !isBlank(cells));
  if (sample.length === 0)
    fail(`contains no ${noun}s`, "copy it from Space Ranger's spatial folder");
  const plan = planColumns(sample, POSITION_COLUMNS, fail);
  const places = Object.entries(plan.at) as [PositionColumn, number][];
  const cellsOf = (row: readonly string[]): PositionCells =>
    Object.fromEntries(places.map(([name, at]) => [name, row[at]]));
  return {
    plan,
    oddities: table.oddities,
    async *rows() {
      let skip = plan.skip;
      for await (const { cells, line } of table.rows()) {
        if (skip > 0) {
          skip = 0;
          if (plan.restored) yield { cells: cellsOf(plan.restored), place: `line ${line}` };
          continue;
        }
        if (isBlank(cells)) continue;
        if (cells.length < plan.width || !isBlank(cells.slice(plan.width))) {
          fail(
            `has ${cells.length} cells in line ${line}, but ${plan.width} in others`,
            cells.length < plan.width
              ? "the line is cut off; copy or download the table again"
              : "save the table again with decimal points, or with semicolons between columns",
          );
        }
        yield { cells: cellsOf(cells), place: `line ${line}` };
      }
    },
  };
}

/** Number of Parquet rows held as objects at a time, and looked at to find columns without known names. */
const ROWS_AT_A_TIME = 100_000;
const SAMPLE = 1000;

async function openParquet(path: string, name: string, { fail, noun }: Refusing): Promise<Table> {
  const damaged = (cause: unknown): never => {
    throw new InputError(
      `${name} cannot be read as Parquet and is probably damaged: copy or download it again.`,
      { cause },
    );
  };
  const file = await asyncBufferFromFile(path);
  const outline = await readSoundMetadata(file, []).catch(damaged);
  const names = columnNames(outline);
  const read = (columns: string[], metadata: FileMetaData, rowStart: number, rowEnd: number) =>
    parquetReadObjects({ file, metadata, compressors: CODECS, columns, rowStart, rowEnd }).catch(
      damaged,
    );
  const nRows = Number(outline.num_rows);
  if (nRows === 0) fail(`contains no ${noun}s`, "copy it from Space Ranger's spatial folder");
  const sampled = await readSoundMetadata(file, names).catch(damaged);
  const some = await read(names, sampled, 0, Math.min(nRows, SAMPLE));
  const sample = some.map((row) => names.map((column) => textOf(row[column])));
  const plan = planColumns([names, ...sample], POSITION_COLUMNS, fail);
  const places = (Object.entries(plan.at) as [PositionColumn, number][]).map(
    ([column, at]) => [column, names[at]] as const,
  );
  const columns = places.map(([, own]) => own);
  return {
    plan,
    oddities: [],
    async *rows() {
      const bounds = new DeclaredBounds(sampled, columns);
      for (let start = 0; start < nRows; start += ROWS_AT_A_TIME) {
        const objects = await read(
          columns,
          sampled,
          start,
          Math.min(nRows, start + ROWS_AT_A_TIME),
        );
        for (const [i, object] of objects.entries()) {
          bounds.add(object);
          const cells = Object.fromEntries(places.map(([column, own]) => [column, object[own]]));
          yield { cells, place: `row ${start + i + 1}` };
        }
      }
      try {
        bounds.require();
      } catch (cause) {
        damaged(cause);
      }
    },
  };
}

/** Names of the columns that are not nested. */
function columnNames({ schema }: FileMetaData): string[] {
  const names: string[] = [];
  for (let at = 1; at < schema.length; at++) {
    const { name, num_children: children = 0 } = schema[at];
    if (children === 0) names.push(name);
    // Skips everything inside a nested column.
    else for (let open = children; open > 0; open--) open += schema[++at]?.num_children ?? 0;
  }
  return names;
}

function textOf(value: unknown): string {
  return isMissing(value) ? "" : String(value as string | number | bigint | boolean);
}
