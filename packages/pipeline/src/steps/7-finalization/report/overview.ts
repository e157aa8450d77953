import { platformById } from "@stipple/contract";
import { count, note, percent } from "../../../exports/report/elements.ts";
import { html, type Html } from "../../../exports/report/html.ts";
import { SETTINGS_WORDS } from "./words.ts";
import type { ReportFigures } from "./figures.ts";
import type { ReportContent } from "./report-content.ts";

/** Title, the most important numbers, and in a few sentences how far to trust them. */
export async function overview(content: ReportContent, figures: ReportFigures): Promise<Html> {
  const { sample, statistics, provenance, results, noun } = content;
  const { settings, created } = provenance;
  const platform = platformById(settings.platform);
  const nReliable = results.genes.reliable.reduce((sum, flag) => sum + flag, 0);
  const tiles: [string, string][] = [
    [count(statistics.total_spots), `${platform.spotNoun}s`],
    ...(noun === "cell" ? [[count(statistics.total_cells), "cells"] as [string, string]] : []),
    [count(statistics.total_genes), "genes"],
    [count(nReliable), noun === "cell" ? "genes reliable at cell level" : "reliable genes"],
    ...(noun === "cell"
      ? [[statistics.average_cells_per_spot.toFixed(2), "cells per spot"] as [string, string]]
      : []),
  ];
  return html`<header>
      <p class="kind">
        Stipple ${provenance.stipple} · ${noun === "cell" ? "single-cell" : "spot-level"} report
      </p>
      <h1>${sample}</h1>
      <p class="about">
        ${platform.label}${settings.resolution ? ` ${settings.resolution} µm` : ""} ·
        ${SETTINGS_WORDS.staining[settings.staining]} · ${settings.analysisType} analysis ·
        <time datetime="${created}">${created.slice(0, 10)}</time>
      </p>
      <div class="tiles">
        ${tiles.map(([value, label]) => html`<div class="tile"><b>${value}</b><span>${label}</span></div>`)}
      </div>
    </header>
    ${verdicts(content, nReliable)}
    ${await figures.take(["spatial_clusters", "showspatial_celltypes"])}`;
}

function verdicts(content: ReportContent, nReliable: number): Html[] {
  const { results, provenance, selfTest, noun } = content;
  const { segmentation, expression } = results.facts;
  const notes: Html[] = [];
  if (noun === "spot") {
    notes.push(
      note(
        "bad",
        html`<p><strong>These are results of whole spots, not of single cells.</strong></p>
          <p>${segmentation.fallbackReason ?? "No nuclei could be seen."}</p>`,
      ),
    );
  } else {
    notes.push(
      note(
        expression.morphologyHelps === true ? "ok" : "warn",
        html`<p>${expression.morphologySentence}</p>`,
      ),
    );
  }
  if (selfTest?.scores) notes.push(note("info", html`<p>${selfTest.sentence}</p>`));
  const share = nReliable / Math.max(1, results.genes.names.length);
  if (nReliable === 0) {
    notes.push(
      note("bad", html`<p>No gene is reliable: nothing here should be read gene by gene.</p>`),
    );
  } else if (share < 0.05) {
    notes.push(
      note(
        "warn",
        html`<p>
          Only ${count(nReliable)} genes (${percent(share)}) are reliable. Read the others at the
          level of spots.
        </p>`,
      ),
    );
  }
  if (!provenance.conservation.exact) {
    notes.push(
      note(
        "bad",
        html`<p>
          Counts are not conserved for ${count(provenance.conservation.genesOff)} genes. Do not rely
          on the observed ledger.
        </p>`,
      ),
    );
  }
  const nWarnings = provenance.warnings.length;
  if (nWarnings > 0) {
    notes.push(
      note(
        "warn",
        html`<p>
          The analysis gave ${nWarnings === 1 ? "one warning" : `${nWarnings} warnings`}:
          <a href="#warnings">read ${nWarnings === 1 ? "it" : "them"} first</a>.
        </p>`,
      ),
    );
  }
  return notes;
}
