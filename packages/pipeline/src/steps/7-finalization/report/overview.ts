import { GRADE_WORDS, platformById, TOPIC_WORDS, type VerdictGrade } from "@stipple/contract";
import { count, note } from "../../../exports/report/elements.ts";
import { html, type Html } from "../../../exports/report/html.ts";
import { SETTINGS_WORDS } from "./words.ts";
import type { ReportFigures } from "./figures.ts";
import type { ReportContent } from "./report-content.ts";

/** Title, how much the results can be trusted, and the most important numbers. */
export async function overview(content: ReportContent, figures: ReportFigures): Promise<Html> {
  const { sample, statistics, provenance, results, noun } = content;
  const { settings, created } = provenance;
  const platform = platformById(settings.platform);
  const nReliable = results.genes.reliable.reduce((sum, flag) => sum + flag, 0);
  const tiles: [string, string][] = [
    [count(statistics.total_spots), `${platform.spotNoun}s`],
    ...(noun === "cell" ? [[count(statistics.total_cells), "cells"] as [string, string]] : []),
    [count(statistics.total_genes), "genes"],
    [count(nReliable), noun === "cell" ? "genes reliable in single cells" : "reliable genes"],
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
        <time datetime="${created}">${longDate(created)}</time>
      </p>
      ${verdictPart(content)}
      <div class="tiles">
        ${tiles.map(([value, label]) => html`<div class="tile"><b>${value}</b><span>${label}</span></div>`)}
      </div>
    </header>
    ${notes(content)} ${await figures.take(["spatial_clusters", "showspatial_celltypes"])}`;
}

/** The verdict, with every reason once; none of it is repeated further down. */
function verdictPart({ statistics: { verdict } }: ReportContent): Html {
  const grade = (of: VerdictGrade): Html =>
    html`<span class="grade ${of}">${GRADE_WORDS[of]}</span>`;
  return html`<div
    class="verdict ${verdict.grade}"
    role="region"
    aria-label="How much you can trust these results"
  >
    <h2>How much you can trust these results ${grade(verdict.grade)}</h2>
    <p class="sentence">${verdict.sentence}</p>
    ${verdict.next && html`<p>${verdict.next}</p>`}
    <dl class="reasons">
      ${verdict.reasons.map(
        (reason) =>
          html`<div>
            <dt>${TOPIC_WORDS[reason.topic]} ${grade(reason.grade)}</dt>
            <dd>
              ${reason.sentence} ${reason.next && html`<span class="next">${reason.next}</span>`}
            </dd>
          </div>`,
      )}
    </dl>
  </div>`;
}

/** Important notes that are not part of the verdict. */
function notes({ provenance }: ReportContent): Html[] {
  const shown: Html[] = [];
  if (!provenance.conservation.exact) {
    shown.push(
      note(
        "bad",
        html`<p>
          Counts are not conserved for ${count(provenance.conservation.genesOff)} genes. Don't use
          the counts layer.
        </p>`,
      ),
    );
  }
  const nWarnings = provenance.warnings.length;
  if (nWarnings > 0) {
    shown.push(
      note(
        "warn",
        html`<p>
          ${nWarnings === 1 ? "There is" : "There are"}
          <a href="#warnings">${nWarnings === 1 ? "one warning" : `${nWarnings} warnings`}</a>.
        </p>`,
      ),
    );
  }
  return shown;
}

function longDate(iso: string): string {
  return new Date(iso).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
}
