import { useState } from "react";
import { Card } from "../../components/card.tsx";
import { Field, Select } from "../../components/field.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { Table } from "../../components/table.tsx";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";
import { DotChart, type MarkKind } from "./dot-chart.tsx";
import { CORRELATIONS } from "./figures.ts";
import { ACCURACY, figure, MEASURED, tissue, withRange, type GeneSet } from "./measured.ts";
import { MeasuredSection } from "./measured-section.tsx";
import { Origin } from "./origin.tsx";

/** Correlations of the study on −1…1; our own for every tissue and method; nuclei of every set of images. */
export function Metrics() {
  return (
    <>
      <Origin kind="published">
        <Published />
      </Origin>
      <Origin kind="ours">
        <Own />
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

/** Which kind of expression estimate a method gives. */
function kindOf(id: string): MarkKind {
  if (id === "rate" || id === "counts") return "ours";
  if (id === "shuffled" || id === "shuffledInSpots") return "control";
  if (id === "nearest" || id === "interpolation") return "baseline";
  if (id === "thorLike" || id === "istarLike" || id === "ridge") return "peer";
  return "reference";
}

const NUMBERS = { align: "right", className: "tabular-nums" } as const;

function Own() {
  const [id, setId] = useState(ACCURACY.tissues[0]?.id ?? "");
  const [genes, setGenes] = useState<GeneSet>("variable");
  const chosen = tissue(id);
  const methods = chosen.expression.filter((method) => method.id !== "halfWay");
  const measures = chosen.measures.filter(({ value }) => value);
  const { nuclei } = MEASURED;
  const setName = (set: string): string => TEXTS.nucleiSets[set] ?? set;
  return (
    <>
      <MeasuredSection />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <Field label={TEXTS.tissue} hint={TEXTS.morphology} className="w-full sm:w-[28rem]">
          {(control) => (
            <Select {...control} value={id} onChange={(event) => setId(event.target.value)}>
              {ACCURACY.tissues.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div className="w-full sm:w-auto">
          <Segmented
            label={TEXTS.genes}
            choices={TEXTS.geneSets}
            value={genes}
            onChange={setGenes}
          />
        </div>
        <p className="basis-full text-[0.8125rem] text-ink-3">
          {TEXTS.setting(chosen.seeds.join(", "), chosen.setting)}
        </p>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title={TEXTS.methodsChart} description={TEXTS.methodsChartText}>
          <DotChart
            label={`${TEXTS.methodsChart}: ${chosen.name}`}
            fileName={`stipple-expression-${chosen.id}-${genes}`}
            axis={[-0.1, 1]}
            ticks={[0, 0.25, 0.5, 0.75, 1]}
            legend={TEXTS.legend.filter(({ kind }) =>
              methods.some((method) => kindOf(method.id) === kind),
            )}
            rows={methods.map((method) => {
              const { mean, low, high } = method[genes];
              return {
                label: method.name,
                marks: [{ kind: kindOf(method.id), value: mean, low, high }],
              };
            })}
            figure={figure}
          />
        </Card>
        <Card flush>
          <Table
            caption={`${TEXTS.methodsChart}: ${chosen.name}`}
            rows={chosen.expression}
            rowKey={(method) => method.id}
            columns={[
              { header: TEXTS.method, cell: (method) => method.name },
              {
                header: TEXTS.meanOverSeeds,
                align: "right",
                className: "tabular-nums md:whitespace-nowrap",
                cell: (method) => withRange(method[genes]),
              },
            ]}
          />
        </Card>
      </div>
      <Card flush title={TEXTS.cellsTitle} description={TEXTS.cellsText(chosen.name)}>
        <Table
          caption={TEXTS.cellsTitle}
          rows={measures}
          rowKey={(row) => row.id}
          columns={[
            {
              header: TEXTS.metric,
              className: "md:whitespace-nowrap",
              cell: ({ name, id: row }) => TEXTS.measureNames[row] ?? name,
            },
            {
              header: TEXTS.value,
              className: "tabular-nums md:whitespace-nowrap",
              cell: ({ value }) => value && withRange(value),
            },
            {
              header: TEXTS.meaning,
              className: "text-ink-2",
              wideOnly: true,
              cell: ({ id: row }) => TEXTS.measureMeanings[row] ?? "",
            },
          ]}
        />
      </Card>
      <Card flush title={TEXTS.realTitle} description={TEXTS.realText}>
        <Table
          caption={TEXTS.realTitle}
          rows={ACCURACY.realCells.tissues}
          rowKey={({ id: name }) => name}
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
              {
                header: TEXTS.nucleiCount,
                align: "right",
                className: "tabular-nums",
                cell: (row) => row.nuclei,
              },
              {
                header: TEXTS.network,
                align: "right",
                className: "tabular-nums font-medium",
                cell: ({ f1 }) => figure(f1),
              },
              {
                header: TEXTS.recall,
                align: "right",
                className: "tabular-nums",
                cell: ({ recall }) => figure(recall),
              },
            ]}
          />
        </Card>
      </div>
    </>
  );
}
