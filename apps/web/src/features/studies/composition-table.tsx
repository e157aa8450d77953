import type { StudyComparison } from "@stipple/contract/routes/studies";
import { Table, type Column } from "../../components/table.tsx";
import { figureText, percentText } from "./figures.ts";
import { ANSWER_TEXTS as TEXTS } from "./texts.ts";

type Row = StudyComparison["composition"][number];

/** Each type's share in the two conditions, unit by unit. */
export function CompositionTable({ comparison }: { comparison: StudyComparison }) {
  const { groups } = comparison;
  const columns: readonly Column<Row>[] = [
    { header: TEXTS.type, className: "font-medium", cell: ({ type }) => type },
    { header: groups[0], align: "right", cell: ({ shares }) => percentText(shares[0]) },
    { header: groups[1], align: "right", cell: ({ shares }) => percentText(shares[1]) },
    { header: TEXTS.units, cell: (row) => <SharesPlot row={row} /> },
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
    </>
  );
}

const [WIDTH, HEIGHT, MARGIN] = [140, 32, 5];

/** A dot for each unit; above the baseline, below the other condition, from 0 to the largest share. */
function SharesPlot({ row: { type, units } }: { row: Row }) {
  const most = Math.max(...units.map(({ share }) => share)) || 1;
  const y = (group: number): number => (group === 0 ? HEIGHT / 4 : (3 * HEIGHT) / 4);
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={TEXTS.plot(type, percentText(most))}
      className="max-md:inline"
    >
      {[0, 1].map((group) => (
        <line
          key={group}
          x1={MARGIN}
          x2={WIDTH - MARGIN}
          y1={y(group)}
          y2={y(group)}
          className="stroke-line"
        />
      ))}
      {units.map(({ share, group }, i) => (
        <circle
          key={i}
          cx={MARGIN + (share / most) * (WIDTH - 2 * MARGIN)}
          cy={y(group)}
          r={4}
          className={group === 0 ? "fill-ink-3" : "fill-primary"}
          opacity={0.75}
        />
      ))}
    </svg>
  );
}
