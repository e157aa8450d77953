import { csvText } from "@stipple/contract/csv";

/** A number as a CSV field, with up to seven significant digits (float32 precision); empty if not finite. */
export function csvNumber(value: number): string {
  return Number.isFinite(value) ? `${Number(value.toPrecision(7))}` : "";
}

function csvField(value: CsvValue): string {
  return typeof value === "string" ? csvText(value) : value === null ? "" : csvNumber(value);
}

const ROWS_AT_ONCE = 2048;
/** Longest time to block the page between yields. */
const BUSY_MS = 40;

/** A field of a table; null: nothing is known. */
export type CsvValue = string | number | null;

/**
 * Writes a table as a CSV file (RFC 4180, UTF-8). The page stays responsive; memory use is the file's size. Rejects with
 * the signal's reason.
 */
export async function csvFile(
  headers: readonly string[],
  rows: number,
  row: (at: number) => readonly CsvValue[],
  { progress, signal }: { progress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<Blob> {
  const parts: Blob[] = [new Blob([`${headers.map(csvText).join(",")}\r\n`])];
  let yieldedAt = performance.now();
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    let text = "";
    const to = Math.min(rows, from + ROWS_AT_ONCE);
    for (let at = from; at < to; at++) text += `${row(at).map(csvField).join()}\r\n`;
    parts.push(new Blob([text]));
    if (performance.now() - yieldedAt < BUSY_MS) continue;
    progress?.(to / rows);
    await new Promise((go) => setTimeout(go));
    signal?.throwIfAborted();
    yieldedAt = performance.now();
  }
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}
