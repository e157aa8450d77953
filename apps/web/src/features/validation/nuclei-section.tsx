import { Card } from "../../components/card.tsx";
import { NUMBERS, Table } from "../../components/table.tsx";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";
import { DotChart } from "./dot-chart.tsx";
import { figure, MEASURED } from "./measured.ts";

const setName = (set: string): string => TEXTS.nucleiSets[set] ?? set;

/** Nuclei found in every set of images. */
export function NucleiSection() {
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
