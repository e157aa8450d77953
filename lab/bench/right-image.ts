/**
 * How often wrong images are rejected and right ones accepted, and how much of sharp and blurred images is called out
 * of focus: on rendered tissues of several sizes, and on open H&E data if present.
 *
 *   node lab/bench/right-image.ts [--work DIR] [--seeds 31,32] [--sizes 600,900,1500] [--morphologies 0,0.5,1]
 *
 * Prints two tables. Tissues are kept in the work folder. About 10 s of CPU per tissue.
 */
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { simulateTissue } from "@stipple/tissue";
import { DATA } from "./judged-tissues/tissues.ts";
import { focusOf } from "./right-image/focus.ts";
import { readSample, type Sample } from "./right-image/sample.ts";
import { judgeImage, mirrored, type Judged } from "./right-image/judge-image.ts";

const { values } = parseArgs({
  options: {
    work: { type: "string", default: join(tmpdir(), "stipple-right-image") },
    seeds: { type: "string", default: "31,32" },
    sizes: { type: "string", default: "600,900,1500" },
    morphologies: { type: "string", default: "0,0.5,1" },
  },
});
const numbers = (list: string): number[] => list.split(",").map(Number);

const samples: Sample[] = [];
for (const seed of numbers(values.seeds)) {
  for (const sizeUm of numbers(values.sizes)) {
    for (const species of ["human", "mouse"] as const) {
      for (const morphology of numbers(values.morphologies)) {
        const name = `${species}-${sizeUm}-m${morphology}-s${seed}`;
        const out = join(values.work, "tissues", name);
        if (!existsSync(join(out, "image.tif"))) {
          const options = { seed, sizeUm, species, morphologyInformative: morphology, nGenes: 400 };
          await simulateTissue({ ...options, out });
        }
        samples.push(await readSample(name, out, join(values.work, "results", name)));
      }
    }
  }
}

interface Row {
  what: string;
  judged: Judged[];
}
const rows: Row[] = [];
for (const sizeUm of numbers(values.sizes)) {
  for (const morphology of numbers(values.morphologies)) {
    const own = samples.filter(({ name }) => name.includes(`-${sizeUm}-m${morphology}-`));
    const spots = own.map(({ spots }) => spots.xy.nRows);
    const of = (what: string, image: (sample: Sample) => Sample | undefined): Row => ({
      what: `${sizeUm} µm (${Math.min(...spots)}–${Math.max(...spots)} spots), morphology ${morphology} | ${what}`,
      judged: own.flatMap((sample) => {
        const shown = image(sample);
        return shown ? [judgeImage(sample, shown)] : [];
      }),
    });
    const isOtherSeed = (a: Sample, b: Sample): boolean =>
      a.width === b.width && a.name.split("-s")[1] !== b.name.split("-s")[1];
    rows.push(
      of("own", (sample) => sample),
      of("mirrored", mirrored),
      of("of another section", (sample) => samples.find((other) => isOtherSeed(other, sample))),
    );
  }
}
console.log(
  "| Tissues | Image | n | Refused by the picture | Cause named by expression alone | Explains < 10% | Explains (median) |\n|---|---|---|---|---|---|---|",
);
for (const { what, judged } of rows) {
  const count = (is: (one: Judged) => boolean): number => judged.filter(is).length;
  const explained = judged.map(({ explained }) => explained ?? 0).sort((a, b) => a - b);
  console.log(
    `| ${what} | ${judged.length} | ${count((one) => one.picture !== null)} | ${count((one) => one.cause !== null)} | ${count((one) => (one.explained ?? 1) < 0.1)} | ${(explained[explained.length >> 1] ?? 0).toFixed(2)} |`,
  );
}

const real = (folder: string): string[] =>
  existsSync(join(DATA, folder))
    ? readdirSync(join(DATA, folder)).map((file) => join(DATA, folder, file))
    : [];
const SETS: [string, string[], number][] = [
  ["rendered tissue", samples.map(({ imagePath }) => imagePath), 0.5],
  ["breast, 20x", real("nuclei-he-breast/images"), 0.5],
  ["lung and brain, 20x", real("nuclei-he-cellbindb/images"), 0.5],
  ["unlabeled, 20x", real("he-unlabelled/images").filter((file) => !file.includes("0.227")), 0.5],
  ["unlabeled, 40x", real("he-unlabelled/images").filter((file) => file.includes("0.227")), 0.227],
  [
    "mouse brain, 0.73 µm",
    real("visium-mouse-brain-crop").filter((file) => file.endsWith("image.tif")),
    0.73,
  ],
];
const BLURS = [0, 2, 3, 4];
console.log(
  `\n| Images | n | ${BLURS.map((px) => (px === 0 ? "Sharp" : `Blurred by ${px} px`)).join(" | ")} |\n|---|---|${BLURS.map(() => "---|").join("")}`,
);
for (const [name, files, umPerPx] of SETS) {
  if (files.length === 0) continue;
  const cells: string[] = [];
  for (const blurPx of BLURS) {
    const shares: number[] = [];
    for (const file of files) {
      const share = await focusOf(file, umPerPx, blurPx * 0.5);
      if (share !== null) shares.push(share);
    }
    const told = shares.filter((share) => share >= 0.1).length;
    const mean = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
    cells.push(`${Math.round(100 * mean)}%, ${told} warned of`);
  }
  console.log(`| ${name} | ${files.length} | ${cells.join(" | ")} |`);
}
