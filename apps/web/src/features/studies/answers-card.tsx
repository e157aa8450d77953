import { STUDY_TABLE } from "@stipple/contract/routes/studies";
import { useState } from "react";
import { Card } from "../../components/card.tsx";
import { Notice } from "../../components/notice.tsx";
import { Awaited } from "./awaited.tsx";
import { AnswerControls } from "./answer-controls.tsx";
import { conditionsOf, type AskedStudy } from "./asked-study.ts";
import { CompositionTable } from "./composition-table.tsx";
import { ExpressionTables } from "./expression-tables.tsx";
import { RefusalNotice } from "./refusal-notice.tsx";
import { SpaceAnswers } from "./space-answers.tsx";
import { StudyFiles } from "./study-files.tsx";
import { ANSWER_TEXTS as TEXTS } from "./texts.ts";
import { useComparison, type Asked } from "./use-comparison.ts";

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
  if (study.samples.length === 0) return null;
  return (
    <Card flush title={TEXTS.title} description={TEXTS.text}>
      <div className="space-y-4 px-4 pb-4 md:px-6">
        {asked ? (
          <AnswerControls
            conditions={conditions}
            regions={regions}
            asked={asked}
            onAsk={(next) => setChosen({ ...asked, ...next })}
          />
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
  found: { data, error, refetch },
}: {
  study: AskedStudy;
  asked: Asked;
  found: ReturnType<typeof useComparison>;
}) {
  if (!data || error) {
    const retry = (): void => void refetch();
    return <Awaited error={error} texts={TEXTS} className="h-24" onRetry={retry} />;
  }
  const { comparison } = data;
  if (!comparison) {
    return (
      <RefusalNotice
        {...{ title: TEXTS.refused, refusal: data.refusal, isShared: study.isShared }}
      />
    );
  }
  return (
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
  );
}
