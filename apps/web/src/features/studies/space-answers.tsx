import type { StudyComparison } from "@stipple/contract/routes/studies";
import type { Column } from "../../components/table.tsx";
import { FoldedTable } from "./folded-table.tsx";
import { CERTAINTY, figureText, intervalText } from "./figures.ts";
import { ANSWER_TEXTS as TEXTS } from "./texts.ts";
import { UnitsPlot } from "./units-plot.tsx";

type Answer = StudyComparison["space"][number];
type Row = Answer["rows"][number];

/** Spatial statistics of the samples, compared: for each a sentence, a table with a plot, and how far to trust it. */
export function SpaceAnswers({ comparison }: { comparison: StudyComparison }) {
  return comparison.space.map((answer) => (
    <section key={answer.title} aria-label={answer.title}>
      <div className="px-4 pt-6 pb-3 md:px-6">
        <h3 className="font-semibold">{answer.title}</h3>
        <p className="mt-1 text-ink-2">{answer.refusal ?? answer.sentence}</p>
      </div>
      {answer.rows.length > 0 && (
        <>
          <FoldedTable
            caption={answer.title}
            columns={columnsOf(answer, comparison.groups)}
            rows={answer.rows}
            rowKey={({ name }) => name}
          />
          <p className="px-4 pt-3 text-ink-2 md:px-6">{answer.reliability}</p>
        </>
      )}
    </section>
  ));
}

function columnsOf(
  { of, measure }: Answer,
  groups: StudyComparison["groups"],
): readonly Column<Row>[] {
  return [
    {
      header: of === "genes" ? TEXTS.gene : TEXTS.types,
      className: "font-medium",
      cell: ({ name }) => name,
    },
    { header: groups[0], align: "right", cell: ({ means }) => figureText(means[0]) },
    { header: groups[1], align: "right", cell: ({ means }) => figureText(means[1]) },
    {
      header: TEXTS.units,
      cell: ({ name, units }) => <UnitsPlot units={units} label={TEXTS.unitsPlot(name, measure)} />,
    },
    {
      header: TEXTS.difference,
      align: "right",
      cell: ({ difference, low, high }) => intervalText(difference, low, high),
    },
    ...CERTAINTY,
  ];
}
