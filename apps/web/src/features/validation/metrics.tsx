import { Card } from "../../components/card.tsx";
import { Table } from "../../components/table.tsx";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";
import { DotChart } from "./dot-chart.tsx";
import { CORRELATIONS } from "./figures.ts";
import { ExpressionSection } from "./expression-section.tsx";
import { MeasuredSection } from "./measured-section.tsx";
import { NucleiSection } from "./nuclei-section.tsx";
import { RealCellsSection } from "./real-cells-section.tsx";
import { Origin } from "./origin.tsx";

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
