import { Card } from "../../components/card.tsx";
import { Table, NUMBERS } from "../../components/table.tsx";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";
import { DotChart } from "./dot-chart.tsx";
import { CORRELATIONS } from "./figures.ts";
import { ExpressionSection } from "./expression-section.tsx";
import { Origin } from "./origin.tsx";
import { figure, REAL, MEASURED, ACCURACY } from "./measured.ts";

const setName = (set: string): string => TEXTS.nucleiSets[set] ?? set;
const ROWS = Object.entries(REAL.captures).map(([capture, figures]) => ({ capture, ...figures }));

/** Correlations of the study on −1…1; our own for every tissue and method; nuclei of every set of images. */
export function Metrics() {
  return (
    <>
      <Origin kind="published">
        <Published />
      </Origin>
      <Origin kind="ours">
        <MeasuredSection />
        <ExpressionSection />
        <RealCellsSection />
        <NucleiSection />
      </Origin>
    </>
  );
}

function Published() {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[3fr_2fr]">
      <Card title={TEXTS.metricsTitle} description={TEXTS.metricsText}>
        <DotChart
          label={TEXTS.metricsTable}
          fileName="validation-correlations"
          axis={[-1, 1]}
          ticks={[-1, -0.5, 0, 0.5, 1]}
          rows={CORRELATIONS.map(({ label, value }) => ({
            label,
            marks: [{ kind: "ours", value }],
          }))}
          figure={String}
        />
      </Card>
      <Card flush>
        <Table
          caption={TEXTS.metricsTable}
          rows={CORRELATIONS}
          rowKey={({ id }) => id}
          columns={[
            { header: TEXTS.metric, cell: ({ label }) => label },
            { header: TEXTS.value, cell: ({ value }) => value },
            { header: TEXTS.basis, cell: ({ id }) => TEXTS.bases[id] },
          ]}
        />
      </Card>
    </div>
  );
}

/** Types and rates of cells measured under their own image, by how the transcripts were captured. */
function MeasuredSection() {
  return (
    <Card flush title={TEXTS.sectionTitle} description={TEXTS.sectionText}>
      <Table
        caption={TEXTS.sectionTitle}
        rows={ROWS}
        rowKey={({ capture }) => capture}
        columns={[
          { header: TEXTS.sectionCapture, cell: ({ capture }) => TEXTS.sectionCaptures[capture] },
          { header: TEXTS.sectionRight, ...NUMBERS, cell: ({ names }) => figure(names.accuracy) },
          {
            header: TEXTS.sectionTrueMix,
            ...NUMBERS,
            cell: ({ byTrueMix }) => (byTrueMix ? figure(byTrueMix.accuracy) : "–"),
          },
          {
            header: TEXTS.sectionMacro,
            ...NUMBERS,
            wideOnly: true,
            cell: ({ names }) => figure(names.macroF1),
          },
          { header: TEXTS.sectionWrong, ...NUMBERS, cell: ({ names }) => figure(names.wrong) },
          {
            header: TEXTS.sectionCalibration,
            ...NUMBERS,
            wideOnly: true,
            cell: ({ names }) => figure(names.calibrationError),
          },
          {
            header: TEXTS.sectionRate,
            ...NUMBERS,
            wideOnly: true,
            cell: ({ rates }) => `${figure(rates.rate[0]!)} / ${figure(rates.interpolated[0]!)}`,
          },
        ]}
      />
    </Card>
  );
}

/** Nuclei found in every set of images. */
function NucleiSection() {
  const { nuclei } = MEASURED;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title={TEXTS.nucleiTitle} description={TEXTS.nucleiText}>
        <DotChart
          label={TEXTS.nucleiTitle}
          fileName="stipple-nuclei"
          axis={[0, 1]}
          ticks={[0, 0.25, 0.5, 0.75, 1]}
          legend={TEXTS.nucleiLegend}
          rows={nuclei.map(({ set, f1 }) => ({
            label: setName(set),
            marks: [{ kind: "ours", value: f1 }],
          }))}
          figure={figure}
        />
      </Card>
      <Card flush>
        <Table
          caption={TEXTS.nucleiTitle}
          rows={nuclei}
          rowKey={({ set }) => set}
          columns={[
            { header: TEXTS.images, cell: ({ set }) => setName(set) },
            { header: TEXTS.nucleiCount, ...NUMBERS, cell: (row) => row.nuclei },
            {
              header: TEXTS.network,
              ...NUMBERS,
              className: "tabular-nums font-medium",
              cell: ({ f1 }) => figure(f1),
            },
            { header: TEXTS.recall, ...NUMBERS, cell: ({ recall }) => figure(recall) },
          ]}
        />
      </Card>
    </div>
  );
}

/** Names and rates of simulated tissues whose cells were measured. */
function RealCellsSection() {
  return (
    <Card flush title={TEXTS.realTitle} description={TEXTS.realText}>
      <Table
        caption={TEXTS.realTitle}
        rows={ACCURACY.realCells.tissues}
        rowKey={({ id }) => id}
        columns={[
          {
            header: TEXTS.realCells,
            cell: ({ label, seed, morphology }) => TEXTS.realLook(label, seed, morphology),
          },
          { header: TEXTS.realGenes, ...NUMBERS, wideOnly: true, cell: (row) => row.genes },
          { header: TEXTS.realBroad, ...NUMBERS, cell: (row) => figure(row.broad) },
          { header: TEXTS.realTypes, ...NUMBERS, cell: (row) => figure(row.types) },
          {
            header: TEXTS.realUnknown,
            ...NUMBERS,
            cell: ({ unknown }) => `${Math.round(100 * unknown)}%`,
          },
          {
            header: TEXTS.realRate,
            ...NUMBERS,
            wideOnly: true,
            cell: ({ rates }) => rates && figure(rates.rate),
          },
          {
            header: TEXTS.realControl,
            ...NUMBERS,
            wideOnly: true,
            cell: ({ rates }) => rates && figure(rates.interpolation),
          },
        ]}
      />
      <p className="px-5 py-4 text-[0.8125rem] text-ink-3">
        {TEXTS.realCommand} <code>{ACCURACY.realCells.command}</code>
      </p>
    </Card>
  );
}
