import type { StudyComparison } from "@stipple/contract/routes/studies";
import { Table, type Column } from "../../components/table.tsx";
import { figureText, percentText } from "./figures.ts";
import { ANSWER_TEXTS as TEXTS } from "./texts.ts";
import { UnitsPlot } from "./units-plot.tsx";

type Row = StudyComparison["composition"][number];

/** Each type's share in the two conditions, unit by unit. */
export function CompositionTable({ comparison }: { comparison: StudyComparison }) {
  const { groups } = comparison;
  const columns: readonly Column<Row>[] = [
    { header: TEXTS.type, className: "font-medium", cell: ({ type }) => type },
    { header: groups[0], align: "right", cell: ({ shares }) => percentText(shares[0]) },
    { header: groups[1], align: "right", cell: ({ shares }) => percentText(shares[1]) },
    {
      header: TEXTS.units,
      cell: ({ type, units }) => (
        <UnitsPlot
          units={units}
          from={0}
          label={TEXTS.plot(type, percentText(Math.max(...units.map(({ value }) => value))))}
        />
      ),
    },
    {
      header: TEXTS.odds,
      align: "right",
      cell: ({ odds_ratio, low, high }) =>
        `${figureText(odds_ratio)} (${TEXTS.interval(figureText(low), figureText(high))})`,
    },
    { header: TEXTS.p, align: "right", cell: ({ p }) => figureText(p) },
    { header: TEXTS.fdr, align: "right", cell: ({ fdr }) => figureText(fdr) },
  ];
  return (
    <>
      <h3 className="px-4 pt-2 pb-3 font-semibold md:px-6">{TEXTS.composition}</h3>
      <Table
        caption={TEXTS.composition}
        columns={columns}
        rows={comparison.composition}
        rowKey={({ type }) => type}
      />
      <p className="px-4 pt-3 text-ink-2 md:px-6">{comparison.reliability.composition}</p>
    </>
  );
}
