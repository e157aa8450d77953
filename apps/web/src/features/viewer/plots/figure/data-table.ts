/** The numbers behind a drawing. */
export interface DataTable {
  columns: readonly {
    name: string;
    /** Text is left, numbers are right. Genes can be clicked to colour the cells by them. */
    kind: "text" | "gene" | "number";
  }[];
  /** In the order of `columns`; null = no value. */
  rows: readonly (readonly (string | number | null)[])[];
}

/** The whole table as comma-separated values (RFC 4180) with full precision; no value = an empty field. */
export function csvText({ columns, rows }: DataTable): string {
  const field = (value: string | number | null): string => {
    if (value === null || (typeof value === "number" && !Number.isFinite(value))) return "";
    const text = String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns.map(({ name }) => name), ...rows]
    .map((row) => `${row.map(field).join(",")}\r\n`)
    .join("");
}
