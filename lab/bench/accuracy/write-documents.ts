import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { format } from "prettier";
import { accuracyReport } from "./report.ts";
import type { Accuracy } from "./summary.ts";
import { summaryPage } from "./summary-page.ts";

/** The documents of these figures, by file: `page` (docs/accuracy.md) and all tables in `notebook/` beside it. */
export async function accuracyDocuments(
  page: string,
  figures: Accuracy,
): Promise<ReadonlyMap<string, string>> {
  const tables = join(dirname(page), "notebook", basename(page));
  const pretty = (text: string): Promise<string> =>
    format(text, { parser: "markdown", printWidth: 100 });
  return new Map([
    [page, await pretty(summaryPage(figures))],
    [tables, await pretty(accuracyReport(figures))],
  ]);
}

/** Writes the figures as JSON beside `page` (docs/accuracy.md) and both documents. */
export async function writeAccuracy(page: string, figures: Accuracy): Promise<void> {
  const json = await format(JSON.stringify(figures), { parser: "json", printWidth: 100 });
  await writeFile(page.replace(/\.md$/, ".json"), json);
  for (const [file, document] of await accuracyDocuments(page, figures)) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, document);
  }
}
