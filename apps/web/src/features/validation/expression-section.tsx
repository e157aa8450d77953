import { useState } from "react";
import { Card } from "../../components/card.tsx";
import { Options, SelectField } from "../../components/field.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { Table } from "../../components/table.tsx";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";
import { DotChart, type MarkKind } from "./dot-chart.tsx";
import { ACCURACY, figure, tissue, withRange, type GeneSet, type Tissue } from "./measured.ts";

/** Which kind of expression estimate a method gives. */
function kindOf(id: string): MarkKind {
  if (id === "rate" || id === "counts") return "ours";
  if (id === "shuffled" || id === "shuffledInSpots") return "control";
  if (id === "nearest" || id === "interpolation") return "baseline";
  if (id === "thorLike" || id === "istarLike" || id === "ridge") return "peer";
  return "reference";
}

/** Expression by method, and names of cells, of one simulated tissue. */
export function ExpressionSection() {
  const [id, setId] = useState(ACCURACY.tissues[0]?.id ?? "");
  const [genes, setGenes] = useState<GeneSet>("variable");
  const chosen = tissue(id);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <SelectField
          label={TEXTS.tissue}
          hint={TEXTS.morphology}
          className="w-full sm:w-[28rem]"
          value={id}
          onValue={setId}
        >
          <Options of={ACCURACY.tissues.map((one) => [one.id, one.name])} />
        </SelectField>
        <div className="w-full sm:w-auto">
          <Segmented label={TEXTS.genes} names={TEXTS.geneSets} value={genes} onChange={setGenes} />
        </div>
        <p className="basis-full text-[0.8125rem] text-ink-3">
          {TEXTS.setting(chosen.seeds.join(", "), chosen.setting)}
        </p>
      </div>
      <Methods chosen={chosen} genes={genes} />
      <CellMeasures chosen={chosen} />
    </>
  );
}

function Methods({ chosen, genes }: { chosen: Tissue; genes: GeneSet }) {
  const methods = chosen.expression.filter((method) => method.id !== "halfWay");
  const title = `${TEXTS.methodsChart}: ${chosen.name}`;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title={TEXTS.methodsChart} description={TEXTS.methodsChartText}>
        <DotChart
          label={title}
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
          caption={title}
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
  );
}

function CellMeasures({ chosen }: { chosen: Tissue }) {
  return (
    <Card flush title={TEXTS.cellsTitle} description={TEXTS.cellsText(chosen.name)}>
      <Table
        caption={TEXTS.cellsTitle}
        rows={chosen.measures.filter(({ value }) => value)}
        rowKey={(row) => row.id}
        columns={[
          {
            header: TEXTS.metric,
            className: "md:whitespace-nowrap",
            cell: ({ name, id }) => TEXTS.measureNames[id] ?? name,
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
            cell: ({ id }) => TEXTS.measureMeanings[id] ?? "",
          },
        ]}
      />
    </Card>
  );
}
