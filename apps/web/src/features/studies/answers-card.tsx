import { STUDY_TABLE, type StudyComparison } from "@stipple/contract/routes/studies";
import { useState } from "react";
import { Checkbox } from "../../components/checkbox.tsx";
import { Card } from "../../components/card.tsx";
import { Notice } from "../../components/notice.tsx";
import { Awaited } from "./awaited.tsx";
import { conditionsOf, type AskedStudy } from "./asked-study.ts";
import { ExpressionTables } from "./expression-tables.tsx";
import { SpaceAnswers } from "./space-answers.tsx";
import { StudyFiles } from "./study-files.tsx";
import { ANSWER_TEXTS as TEXTS } from "./texts.ts";
import { useComparison, type Asked } from "./use-comparison.ts";
import { Options, SelectField } from "../../components/field.tsx";
import type { Column } from "../../components/table.tsx";
import { FoldedTable } from "./folded-table.tsx";
import { CERTAINTY, figureText, intervalText, percentText } from "./figures.ts";
import { UnitsPlot } from "./units-plot.tsx";

/** What differs between two conditions of the stored design. */
export function AnswersCard({ study, isSaved }: { study: AskedStudy; isSaved: boolean }) {
  const conditions = conditionsOf(study);
  const [chosen, setChosen] = useState<Partial<Asked>>({});
  const baseline = conditions.find((one) => one === chosen.baseline) ?? conditions[0];
  const other =
    conditions.find((one) => one === chosen.other && one !== baseline) ??
    conditions.find((one) => one !== baseline);
  const { patients = "yes", batches = "yes", region = "" } = chosen;
  const asked: Asked | null =
    baseline !== undefined && other !== undefined
      ? { baseline, other, patients, batches, region }
      : null;
  const found = useComparison(study, isSaved ? asked : null);
  // They stay while the next comparison is computed.
  const [regions, setRegions] = useState<readonly string[]>([]);
  if (found.data && found.data.regions !== regions) setRegions(found.data.regions);
  // One that a sample has no longer stays chosen, and can be left.
  const offered = region === "" || regions.includes(region) ? regions : [...regions, region];
  const ask = (change: Partial<Asked>): void => setChosen({ ...asked, ...change });
  const sides = [
    ["baseline", TEXTS.baseline, conditions],
    ["other", TEXTS.other, conditions.filter((one) => one !== baseline)],
  ] as const;
  if (study.samples.length === 0) return null;
  return (
    <Card flush title={TEXTS.title} description={TEXTS.text}>
      <div className="space-y-4 px-4 pb-4 md:px-6">
        {asked ? (
          <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
            {sides.map(([key, label, values]) => (
              <SelectField
                key={key}
                label={label}
                className="w-full sm:w-52"
                value={asked[key]}
                onValue={(value) => ask({ [key]: value })}
              >
                {values.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </SelectField>
            ))}
            {offered.length > 0 && (
              <SelectField
                label={TEXTS.cells}
                className="w-full sm:w-52"
                value={asked.region}
                onValue={(region) => ask({ region })}
              >
                <option value="">{TEXTS.allCells}</option>
                <Options of={offered.map((one) => [one, TEXTS.inRegion(one)])} />
              </SelectField>
            )}
            <div>
              {(["patients", "batches"] as const).map((key) => (
                <Checkbox
                  key={key}
                  className="min-h-8 gap-2"
                  checked={asked[key] === "yes"}
                  onCheck={(is) => ask({ [key]: is ? "yes" : "no" })}
                >
                  {TEXTS[key]}
                </Checkbox>
              ))}
            </div>
          </div>
        ) : (
          <p className="text-ink-2">{TEXTS.twoNeeded}</p>
        )}
        {!isSaved && <Notice tone="info">{TEXTS.unsaved}</Notice>}
      </div>
      {isSaved && asked && <Answers study={study} asked={asked} found={found} />}
    </Card>
  );
}

function Answers({
  study,
  asked,
  found,
}: {
  study: AskedStudy;
  asked: Asked;
  found: ReturnType<typeof useComparison>;
}) {
  return (
    <Awaited query={found} isShared={study.isShared} texts={TEXTS} className="h-24">
      {({ comparison }) => (
        <>
          <div className="space-y-1 px-4 pb-4 md:px-6">
            {comparison.summary.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </div>
          <CompositionTable comparison={comparison} />
          <ExpressionTables comparison={comparison} />
          <SpaceAnswers comparison={comparison} />
          {study.mayExport && (
            <>
              <p className="px-4 py-4 text-ink-2 md:px-6">{TEXTS.code}</p>
              <StudyFiles
                study={study}
                query={asked}
                names={[STUDY_TABLE, ...comparison.files]}
                title={TEXTS.files}
              />
            </>
          )}
        </>
      )}
    </Awaited>
  );
}

type Row = StudyComparison["composition"][number];

/** Each type's share in the two conditions, unit by unit. */
function CompositionTable({ comparison }: { comparison: StudyComparison }) {
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
        odds_ratio === null ? figureText(null) : intervalText(odds_ratio, low, high),
    },
    ...CERTAINTY,
  ];
  return (
    <>
      <h3 className="px-4 pt-2 pb-3 font-semibold md:px-6">{TEXTS.composition}</h3>
      <FoldedTable
        caption={TEXTS.composition}
        columns={columns}
        rows={comparison.composition}
        rowKey={({ type }) => type}
      />
      <p className="px-4 pt-3 text-ink-2 md:px-6">{comparison.reliability.composition}</p>
    </>
  );
}
