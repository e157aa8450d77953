import type { SharedStudy } from "@stipple/contract/routes/study-sharing";
import { Card } from "../../../components/card.tsx";
import { Table, type Column } from "../../../components/table.tsx";
import { cellOf, FIXED_COLUMNS } from "../design.ts";
import { titleOf } from "../design-table.tsx";
import { DESIGN_TEXTS } from "../texts.ts";
import { GUEST_TEXTS as TEXTS } from "./texts.ts";

type Sample = SharedStudy["samples"][number];

const SAMPLE: Column<Sample> = {
  header: DESIGN_TEXTS.sample,
  className: "font-medium [overflow-wrap:anywhere]",
  cell: ({ name, view }) =>
    view === null ? (
      name
    ) : (
      <a
        href={view}
        target="_blank"
        rel="noreferrer"
        aria-label={TEXTS.openView(name)}
        className="text-primary hover:underline"
      >
        {name}
      </a>
    ),
};

/** The samples and what each is, as far as the design is filled in. */
export function GuestSamples({ study: { columns, samples } }: { study: SharedStudy }) {
  const filled = [...FIXED_COLUMNS, ...columns].filter((column) =>
    samples.some((sample) => cellOf(sample, column) !== ""),
  );
  return (
    <Card flush title={DESIGN_TEXTS.title} description={TEXTS.designText}>
      <Table
        caption={DESIGN_TEXTS.title}
        columns={[
          SAMPLE,
          ...filled.map((column) => ({
            header: titleOf(column),
            cell: (sample: Sample) => cellOf(sample, column),
          })),
        ]}
        rows={samples}
        rowKey={({ name }) => name}
      />
    </Card>
  );
}
