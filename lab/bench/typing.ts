/**
 * Accuracy of cell naming on tissues of known cells under rendered images.
 *   node lab/bench/typing.ts [--only NAMES] [--cells DIR] [--image-difficulty N] [--work DIR] [--write] [--verbose]
 * A label is matched by any of the names listed for it. --write puts tissues of real cells, with the correlation of their
 * rates, into docs/accuracy.json and .md.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { HEADINGS, nameRendered, rowOf, type NamedTissue } from "./typing/name-rendered.ts";
import { RENDERED, tissuesOf, type RenderedTissue } from "./typing/rendered-tissues.ts";
import { writeRealCells } from "./typing/write-real-cells.ts";

const { values } = parseArgs({
  options: {
    verbose: { type: "boolean", default: false },
    cells: { type: "string", multiple: true, default: [] },
    work: { type: "string", default: join(tmpdir(), "stipple-typing") },
    only: { type: "string", default: "" },
    write: { type: "boolean", default: false },
    "image-difficulty": { type: "string", default: "1" },
  },
});
if (values.write && values["image-difficulty"] !== "1") {
  throw new Error("--write: docs/accuracy.md holds the figures of images of difficulty 1 only");
}
const wanted = values.only.split(",");
const real: { given: RenderedTissue; named: NamedTissue }[] = [];
console.log(`${HEADINGS}\n|${"---|".repeat(HEADINGS.split("|").length - 2)}`);
for (const one of [...RENDERED, ...values.cells.flatMap(tissuesOf)]) {
  if (!wanted.some((part) => one.name.includes(part))) continue;
  const found = await nameRendered(values.work, one, {
    verbose: values.verbose,
    rates: values.write,
    imageDifficulty: Number(values["image-difficulty"]),
  });
  console.log(rowOf(found));
  if (one.cells === "pbmc" || one.cells === "starmap") real.push({ given: one, named: found });
}
if (values.write) await writeRealCells(real);
