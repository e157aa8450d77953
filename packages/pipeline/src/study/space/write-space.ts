import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tableLines } from "../../exports/csv/table.ts";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import { pause } from "../../engine/pause.ts";
import type { StudySpace } from "./embed-samples.ts";
import { correctionWarnings, spaceSummary } from "./space-notes.ts";

/** Rows per row group. */
const GROUP = 100_000;
const FLOATS = ["umap_1", "umap_2", "corrected_umap_1", "corrected_umap_2"] as const;

/**
 * Writes a joint space for scanpy and R: a row for each cell or spot (Parquet), joint clusters by sample (CSV), and what was
 * found (text). Streams; memory is that of 100,000 rows.
 */
export async function writeSpace(
  folder: string,
  space: StudySpace,
  signal: AbortSignal,
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const { of } = space.kind;
  await writePoints(join(folder, `${of}.parquet`), space, signal);
  await writeFile(join(folder, "clusters.csv"), clustersTable(space));
  const said = [...spaceSummary(space), ...correctionWarnings(space)];
  await writeFile(join(folder, "mixing.txt"), said.map((sentence) => `${sentence}\n`).join(""));
  return [`${of}.parquet`, "clusters.csv", "mixing.txt"];
}

async function writePoints(path: string, space: StudySpace, signal: AbortSignal): Promise<void> {
  const { samples, umap, cluster, types, kind } = space;
  const name = kind.of === "cells" ? "cell" : "barcode";
  const text = { type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" } as const;
  const parquet = new ParquetWriter({
    writer: fileWriter(path),
    schema: [
      { name: "schema", num_children: 7 + (types ? 1 : 0) },
      { name: "sample", ...text },
      { name, ...text },
      ...FLOATS.map((one) => ({
        ...{ name: one, type: "FLOAT" as const, repetition_type: "REQUIRED" as const },
      })),
      { name: "cluster", type: "INT32", repetition_type: "REQUIRED" },
      ...(types ? [{ name: "cell_type", ...text }] : []),
    ],
    statistics: false,
  });
  const names = types?.names.map((one) => Buffer.from(one));
  const unknown = Buffer.from("");
  let start = 0;
  for (const sample of samples) {
    const own = Buffer.from(sample.name);
    for (let from = 0; from < sample.rows.length; from += GROUP) {
      const rows = sample.rows.subarray(from, from + GROUP);
      const [first, last] = [start + from, start + from + rows.length];
      const column = (data: Float32Array, at: number): Float32Array =>
        Float32Array.from(rows, (_, i) => data[2 * (first + i) + at]);
      const floats = [umap.before, umap.before, umap.after, umap.after];
      await parquet.write({
        columnData: [
          { name: "sample", data: Array.from(rows, () => own) },
          { name, data: Array.from(rows, (row) => Buffer.from(sample.nameOf(row))) },
          ...FLOATS.map((one, i) => ({ name: one, data: column(floats[i], i % 2) })),
          { name: "cluster", data: cluster.slice(first, last) },
          ...(types
            ? [
                {
                  name: "cell_type",
                  data: Array.from(
                    types.of.subarray(first, last),
                    (type) => names![type] ?? unknown,
                  ),
                },
              ]
            : []),
        ],
        rowGroupSize: GROUP,
      });
      await pause(signal);
    }
    start += sample.rows.length;
  }
  await parquet.finish();
}

/** Numbers of points of each sample (rows of the result) in each joint cluster. */
export function clusterCounts({ samples, cluster, nClusters }: StudySpace): number[][] {
  let point = 0;
  return samples.map(({ rows }) => {
    const counts = new Array<number>(nClusters).fill(0);
    for (const end = point + rows.length; point < end; point++) counts[cluster[point]]++;
    return counts;
  });
}

function clustersTable(space: StudySpace): string {
  const counts = clusterCounts(space);
  const head = ["sample", ...Array.from({ length: space.nClusters }, (_, c) => `cluster_${c}`)];
  const rows = space.samples.map(({ name }, s) => [name, ...counts[s]]);
  return [...tableLines(head, rows)].join("");
}
