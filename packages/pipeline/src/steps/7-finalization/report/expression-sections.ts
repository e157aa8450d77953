import {
  count,
  decimals,
  facts,
  figure,
  note,
  percent,
  table,
  type Section,
} from "../../../exports/report/elements.ts";
import { histogram } from "../../../exports/report/histogram.ts";
import { html, type Html } from "../../../exports/report/html.ts";
import type { FineBinReport, TwinScore } from "../../../facts.ts";
import type { CaptureNoun } from "../../../model/row-noun.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import { median } from "@stipple/numerics/quantile";
import { MIN_COUNTS } from "../../../self-test/run-self-test.ts";
import type { ReportContent } from "./report-content.ts";

/** Number of genes in the report's table; the CSV contains all. */
const SHOWN_GENES = 500;

/** Source of the cell counts when the sample has bins finer than its spots. */
function fineBinsSentence(fine: FineBinReport, spotSizeUm: number): string {
  const part = (counts: number): string => percent(counts / Math.max(1, fine.counts));
  return (
    `Cells get their counts from ${count(fine.nBins)} ${fine.binUm} µm bins, each assigned to one cell, and their rates are based on these counts: ` +
    `${part(fine.countsInNuclei)} of the UMIs are in nuclei, ${part(fine.countsInCells)} in the cells around them, ` +
    `${part(fine.countsNearest)} between cells, within ${figure(fine.reachUm)} µm of a nucleus, and ` +
    `${part(fine.countsUnassigned)} in no cell. Figures and statistics of bins refer to the ${spotSizeUm} µm bins.`
  );
}

/** Which cells share the UMIs of a spot or bin. */
const SHARED_AMONG: Record<CaptureNoun, string> = {
  bin: "The UMIs of a bin are shared among the cells that it captures.",
  spot: "The UMIs of a spot are shared among the cells in it and those nearest to it.",
};

export function matricesSection({
  results,
  provenance,
  written,
  noun,
  spotNoun,
}: ReportContent): Section {
  const { conservation } = provenance;
  const inCells = conservation.assignedCounts / Math.max(1, conservation.observedCounts);
  const { bleed, fineBins } = results.facts;
  return {
    id: "ledgers",
    title: "Observed counts and inferred rates",
    body: html`<p>
        <strong>Observed counts</strong> (<code>layers["counts"]</code>): every measured UMI,
        assigned to one ${noun}. Totals are conserved exactly. Use them for statistical tests.
        ${noun === "cell" && !fineBins ? SHARED_AMONG[spotNoun] : null}
      </p>
      ${fineBins ? html`<p>${fineBinsSentence(fineBins, results.facts.scale.spotSizeUm)}</p>` : null}
      <p>
        <strong>Inferred rates</strong> (<code>layers["rate"]</code> and, log-transformed,
        <code>X</code>): the expression the model expects for every
        ${noun}${noun === "cell" ? `, including cells outside the ${spotNoun}s, based on morphology and surroundings` : ""}.
        Use them for plots and clustering, not for tests: a test would only confirm the model.
      </p>
      <div class="bar" role="img" aria-label="${percent(inCells)} of the UMIs are in ${noun}s">
        <i style="width:${(100 * inCells).toFixed(2)}%"></i>
      </div>
      <p class="legend">
        UMIs: <span><i class="good"></i>in ${noun}s, ${percent(inCells)}</span
        ><span><i class="poor"></i>assigned to no ${noun}, ${percent(1 - inCells)}</span>
      </p>
      ${
        conservation.exact
          ? note(
              "ok",
              html`<p>
                Conserved exactly, gene by gene: ${count(conservation.observedCounts)} measured =
                ${count(conservation.assignedCounts)} in ${noun}s +
                ${count(conservation.unassignedCounts)} assigned to none.
              </p>`,
            )
          : note(
              "bad",
              html`<p>
                Not conserved for ${count(conservation.genesOff)} genes, largest difference
                ${count(conservation.largestDifference)}.
              </p>`,
            )
      }
      ${facts([
        [
          `Counts from outside a ${spotNoun} (bleed)`,
          `${percent(bleed.beta, 0)} over ${figure(bleed.lengthUm)} µm`,
        ],
        [
          "Source of the bleed",
          {
            default: "default values",
            given: "parameters of this run",
          }[bleed.source],
        ],
        [
          "Rates left out of the h5ad",
          written.h5ad.droppedBelow > 0
            ? `below ${figure(written.h5ad.droppedBelow)}: ${percent(written.h5ad.droppedFraction, 2)} of the expression`
            : "none",
        ],
      ])}`,
  };
}

/** Explains the expected correlation. */
const EXPECTED = html`The <em>expected correlation in single cells</em> says how well inferred rates
  should correlate with the counts that the cells would have had themselves. We calibrated it on
  tissues whose cells are known.`;

/** Median expected correlation of the reliable genes, with the medians of its interval. */
function expectedOf({ reliable, cellPcc }: ReportContent["results"]["genes"]): string {
  const own = Array.from(reliable.keys()).filter((gene) => reliable[gene] === 1);
  if (own.length === 0) return "no reliable gene";
  const [expected, low, high] = [0, 1, 2].map((i) =>
    median(own.map((gene) => cellPcc.data[3 * gene + i])),
  );
  return `${decimals(expected)} (${decimals(low)} to ${decimals(high)})`;
}

function intervalOf({ data }: Matrix<Float32Array>, gene: number): string {
  const [, low, high] = data.subarray(3 * gene, 3 * gene + 3);
  return `${decimals(low)}–${decimals(high)}`;
}

export function reliabilitySection({ results, noun, spotNoun }: ReportContent): Section {
  const { genes, facts: sample } = results;
  const { expression } = sample;
  const order = Uint32Array.from(genes.names.keys())
    .filter((gene) => genes.reliable[gene] === 1)
    .sort((a, b) => genes.heldoutPcc[b] - genes.heldoutPcc[a]);
  const judged = (reliable: number): number[] =>
    Array.from(genes.heldoutPcc).filter(
      (value, gene) => Number.isFinite(value) && genes.reliable[gene] === reliable,
    );
  const shown = Array.from(order.subarray(0, SHOWN_GENES));
  return {
    id: "reliability",
    title: "Reliability of each gene",
    body: html`<p>
        We held out blocks of
        ${spotNoun}s${expression.heldoutBlockUm > 0 ? ` (${count(expression.heldoutBlockUm)} µm wide)` : ""}
        and predicted their counts from the others. How well a gene's predictions correlate with its
        counts there is its <em>held-out correlation</em>.
        ${
          noun === "cell"
            ? html`Don't read genes below the threshold cell by cell; use the ${spotNoun} data.
              ${EXPECTED}`
            : "For genes below the threshold, use the observed counts."
        }
      </p>
      ${facts([
        ["Reliable genes", count(expression.nReliableGenes)],
        ["Genes that vary enough to judge", count(expression.nJudgedGenes)],
        ["Median held-out correlation", figure(expression.medianHeldoutPcc)],
        [
          `The same by interpolation between ${spotNoun}s`,
          figure(expression.medianHeldoutPccInterpolation),
        ],
        noun === "cell"
          ? ["Expected correlation in single cells, median reliable gene", expectedOf(genes)]
          : null,
        [
          `Held-out ${spotNoun}s`,
          `${count(expression.heldoutSpots)} in ${count(expression.heldoutFolds)} folds`,
        ],
        ["Uncertainty of a rate (median CV)", figure(expression.medianRateCv)],
      ])}
      ${histogram(
        [
          { name: "reliable", className: "good", values: judged(1) },
          { name: "not reliable", className: "poor", values: judged(0) },
        ],
        {
          low: -0.4,
          high: 1,
          bins: 42,
          mark: 0.2,
          x: "Held-out correlation",
          y: "Genes",
          label: "Histogram of the genes' held-out correlations",
        },
      )}
      ${
        shown.length === 0
          ? null
          : html`<h3>
                ${shown.length < order.length ? `The ${count(shown.length)} most reliable genes of ${count(order.length)}` : "The reliable genes"}
              </h3>
              ${genesTable(genes, shown, noun)}`
      }
      <p>All genes are in <code>gene_reliability.csv</code>.</p>`,
  };
}

function genesTable(
  genes: ReportContent["results"]["genes"],
  shown: readonly number[],
  noun: ReportContent["noun"],
): Html {
  return table<number>(
    [
      ["Gene", (gene) => genes.names[gene]],
      ["Identifier", (gene) => genes.ids[gene]],
      ["Held-out correlation", (gene) => decimals(genes.heldoutPcc[gene], 3), "number"],
      noun === "cell"
        ? ["In single cells", (gene) => decimals(genes.cellPcc.data[3 * gene]), "number"]
        : null,
      noun === "cell" ? ["80% interval", (gene) => intervalOf(genes.cellPcc, gene)] : null,
      ["UMIs", (gene) => count(genes.observed[gene]), "number"],
      ["CV of the rate", (gene) => figure(genes.rateCv[gene]), "number"],
    ],
    shown,
  );
}

export function morphologySection({ results, selfTest, noun, spotNoun }: ReportContent): Section {
  const { expression } = results.facts;
  return {
    id: "morphology",
    title: noun === "cell" ? "Does cell morphology help?" : "How expression was inferred",
    body: html`${note(expression.morphologyHelps === true ? "ok" : "warn", html`<p>${expression.morphologySentence}</p>`)}
      ${
        noun === "cell" &&
        html`<p>
          To test this, we fit the model with the cells' shape and stain, and again with these
          shuffled among the cells. We use morphology only if it predicts held-out ${spotNoun}s
          better than when shuffled.
        </p>`
      }
      ${facts([
        expression.morphologyGain === null
          ? null
          : [
              "Gain in held-out correlation over shuffled morphology",
              decimals(expression.morphologyGain, 3),
            ],
        ["Prototypes of expression", count(expression.prototypes)],
        ["Models averaged", count(expression.fits)],
        ["Genes used to fit the model", count(expression.informativeGenes)],
      ])}
      <details>
        <summary>Model settings</summary>
        ${facts(Object.entries(expression.settings).map(([name, value]) => [inWords(name), figure(value)] as const))}
      </details>
      ${selfTestPart(selfTest, spotNoun)}`,
  };
}

/** "gateSteps" → "gate steps". */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function selfTestPart(selfTest: ReportContent["selfTest"], spotNoun: CaptureNoun): Html | null {
  if (!selfTest) return null;
  const { scores } = selfTest;
  if (!scores)
    return html`<h3 id="self-test">Self-test</h3>
      ${note("info", html`<p>${selfTest.sentence}</p>`)}`;
  const { expected } = selfTest;
  const rows = [
    ...(expected ? [["Expected in this sample", expected]] : []),
    ["Twin: inferred rate", scores.rate],
    ["Twin: interpolation", scores.interpolation],
    ["Twin: cells shuffled", scores.shuffled],
    ["Twin: true rate", scores.ceiling],
  ] as [string, TwinScore][];
  return html`<h3 id="self-test">Self-test: the expected accuracy</h3>
    <p>
      From the fitted model, we simulated a twin of
      ${selfTest.wholeSample ? "the sample" : "part of the sample"}: ${count(selfTest.nCells)} cells
      and ${count(selfTest.nSpots)} ${spotNoun}s with the same positions, depth, and bleed, but with
      every cell known. We analyzed it like the sample. The table shows how predicted and true
      counts correlate over its cells (median over genes; genes at random have ${MIN_COUNTS} UMIs or
      more). The true rate is the best that this noise
      allows.${expected ? " We calibrated what to expect in this sample on tissues whose cells are known." : ""}
    </p>
    ${table<[string, TwinScore]>(
      [
        ["Prediction", ([name]) => name],
        [`${count(selfTest.nGenes)} genes at random`, ([, score]) => decimals(score.all), "number"],
        [
          `${count(selfTest.nReliableGenes)} reliable genes`,
          ([, score]) => (score.reliable === null ? "–" : decimals(score.reliable)),
          "number",
        ],
      ],
      rows,
    )}
    ${note(
      "info",
      html`<p>${selfTest.sentence}</p>
        <p>
          The twin compares the analysis with interpolation on a sample like this one. It doesn't
          show how accurate your cells are: real cells can be missed, and they don't follow the
          model.
        </p>`,
    )}`;
}
