import { useState } from "react";
import { Card } from "../../components/card.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { Table } from "../../components/table.tsx";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";
import { Chart } from "./chart.tsx";
import { DotChart, type Mark } from "./dot-chart.tsx";
import { CELL_RATIO } from "./figures.ts";
import { ACCURACY, figure, measure, method, type GeneSet, type Tissue } from "./measured.ts";
import { Origin } from "./origin.tsx";

const BARS = [
  { label: TEXTS.reference, value: 1 },
  { label: TEXTS.ours, value: CELL_RATIO },
];

/**
 * Cells detected, as bars; what each kind of measurement yields; and our rates compared with other methods on every
 * tissue.
 */
export function Comparison() {
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
  const { caption, columns, rows } = TEXTS.methods;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[2fr_3fr]">
      <Card title={TEXTS.comparisonTitle} description={TEXTS.comparisonText}>
        <Chart label={TEXTS.comparisonTable} fileName="validation-cells-detected" height={126}>
          {(width) =>
            BARS.map(({ label, value }, at) => {
              const y = 22 + at * 62;
              const length = (value / CELL_RATIO) * (width - 56);
              return (
                <g key={label}>
                  <text x={0} y={y - 8} fontSize={13} className="fill-ink">
                    {label}
                  </text>
                  <rect
                    x={0}
                    y={y}
                    width={length}
                    height={32}
                    rx={6}
                    className={at === 0 ? "fill-missing" : "fill-primary"}
                  />
                  <text
                    x={length + 10}
                    y={y + 21}
                    fontSize={14}
                    fontWeight={600}
                    className="fill-ink"
                  >
                    {value}x
                  </text>
                </g>
              );
            })
          }
        </Chart>
        <table className="mt-4 w-full border-t border-line text-left">
          <caption className="sr-only">{TEXTS.comparisonTable}</caption>
          <tbody>
            {BARS.map(({ label, value }) => (
              <tr key={label} className="not-last:border-b border-line">
                <th scope="row" className="py-2 font-normal">
                  {label}
                </th>
                <td className="py-2 text-right tabular-nums">{value}x</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <Card flush title={TEXTS.methodsTitle}>
        <Table
          caption={caption}
          rows={rows}
          rowKey={([name]) => name}
          columns={columns.map((header, at) => ({
            header,
            className: at === 0 ? "font-medium" : "text-ink-2",
            cell: (row: (typeof rows)[number]) => row[at],
          }))}
        />
      </Card>
    </div>
  );
}

const PEERS = ["thorLike", "istarLike", "ridge"];

/** The best of the other approaches, null if they were not run. */
function bestPeer(of: Tissue, genes: GeneSet): number | null {
  const values = of.expression.filter(({ id }) => PEERS.includes(id)).map((one) => one[genes].mean);
  return values.length > 0 ? Math.max(...values) : null;
}

function marksOf(of: Tissue, genes: GeneSet): Mark[] {
  const peer = bestPeer(of, genes);
  return [
    { kind: "baseline", value: method(of, "interpolation")[genes].mean },
    ...(peer === null ? [] : [{ kind: "peer" as const, value: peer }]),
    { kind: "reference", value: method(of, "typesFitted")[genes].mean },
    { kind: "ours", value: method(of, "rate")[genes].mean },
  ];
}

function Own() {
  const [genes, setGenes] = useState<GeneSet>("variable");
  const { tissues } = ACCURACY;
  const column = (header: string, cell: (one: Tissue) => string) => ({
    header,
    align: "right" as const,
    className: "tabular-nums",
    cell,
  });
  return (
    <>
      <div className="max-w-md">
        <Segmented label={TEXTS.genes} names={TEXTS.geneSets} value={genes} onChange={setGenes} />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[2fr_3fr]">
        <Card title={TEXTS.tissuesTitle} description={TEXTS.tissuesText}>
          <DotChart
            label={TEXTS.tissuesTitle}
            fileName={`stipple-comparison-${genes}`}
            axis={[0, 1]}
            ticks={[0, 0.25, 0.5, 0.75, 1]}
            legend={TEXTS.comparisonLegend}
            rows={tissues.map((one) => ({ label: one.name, marks: marksOf(one, genes) }))}
            figure={figure}
          />
        </Card>
        <Card flush>
          <Table
            caption={TEXTS.tissuesTitle}
            rows={tissues}
            rowKey={({ id }) => id}
            columns={[
              { header: TEXTS.tissue, cell: ({ name }) => name },
              column(TEXTS.ours, (one) => figure(method(one, "rate")[genes].mean)),
              column(TEXTS.interpolation, (one) =>
                figure(method(one, "interpolation")[genes].mean),
              ),
              column(TEXTS.bestPeer, (one) => {
                const peer = bestPeer(one, genes);
                return peer === null ? "–" : figure(peer);
              }),
              column(TEXTS.typesFitted, (one) => figure(method(one, "typesFitted")[genes].mean)),
            ]}
          />
          <p className="border-t border-line px-6 py-4 text-[0.8125rem] text-ink-3">
            {TEXTS.peersNote}
          </p>
        </Card>
      </div>
      <Card flush title={TEXTS.blindTitle} description={TEXTS.blindText}>
        <Table
          caption={TEXTS.blindTitle}
          rows={tissues}
          rowKey={({ id }) => id}
          columns={[
            { header: TEXTS.tissue, cell: ({ name }) => name },
            column(TEXTS.blindMeans, (one) => figure(measure(one, "means").mean)),
            column(TEXTS.blindShuffled, (one) => figure(measure(one, "meansShuffled").mean)),
            column(TEXTS.blindDetection, (one) => figure(measure(one, "detection").mean)),
            column(TEXTS.blindShuffled, (one) => figure(measure(one, "detectionShuffled").mean)),
          ]}
        />
      </Card>
    </>
  );
}
