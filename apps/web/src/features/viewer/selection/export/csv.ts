import { csvText } from "@stipple/contract/csv";

/** A number as a field of a CSV file, with up to seven significant digits (all that a float32 holds); empty for none. */
export function csvNumber(value: number): string {
  return Number.isFinite(value) ? `${Number(value.toPrecision(7))}` : "";
}

const ROWS_AT_ONCE = 2048;
/** The page may stand still for so long between two breaths. */
const BUSY_MS = 40;

/**
 * Writes a table as the bytes of a CSV file (RFC 4180, UTF-8). `row` gives a row's fields, already as `csvText` and
 * `csvNumber` make them. The page stays usable meanwhile: memory is that of the file. Rejects with the signal's reason.
 */
export async function csvFile(
  headers: readonly string[],
  rows: number,
  row: (at: number) => readonly string[],
  { progress, signal }: { progress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<Blob> {
  const parts: Blob[] = [new Blob([`${headers.map(csvText).join(",")}\r\n`])];
  let breathed = performance.now();
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    let text = "";
    const to = Math.min(rows, from + ROWS_AT_ONCE);
    for (let at = from; at < to; at++) text += `${row(at).join(",")}\r\n`;
    parts.push(new Blob([text]));
    if (performance.now() - breathed < BUSY_MS) continue;
    progress?.(to / rows);
    await new Promise((go) => setTimeout(go));
    signal?.throwIfAborted();
    breathed = performance.now();
  }
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}
