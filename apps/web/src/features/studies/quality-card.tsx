import type { Study, StudyQuality } from "@stipple/contract/routes/studies";
import { errorText } from "../../app/api.ts";
import { Card } from "../../components/card.tsx";
import { LoadFailure } from "../../components/load-failure.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { MEASURES } from "./quality-measures.ts";
import { QualityPlots } from "./quality-plots.tsx";
import { QUALITY_TEXTS as TEXTS, STUDIES_TEXTS } from "./texts.ts";
import { useQuality } from "./use-studies.ts";

interface Row {
  name: string;
  quality: StudyQuality | null;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    header: TEXTS.sample,
    className: "font-medium [overflow-wrap:anywhere]",
    cell: ({ name }) => name,
  },
  { header: TEXTS.verdict, cell: ({ quality }) => quality?.verdict ?? TEXTS.none },
  ...MEASURES.map(({ title, of, text }): Column<Row> => ({
    header: title,
    align: "right",
    className: "tabular-nums",
    cell({ quality }) {
      const value = quality && of(quality);
      return value === null ? "–" : text(value);
    },
  })),
];

export interface SideBySide {
  samples: readonly Row[];
  outliers: readonly string[];
}

export function QualityTable({ quality: { samples, outliers } }: { quality: SideBySide }) {
  return (
    <>
      {outliers.length > 0 && (
        <Notice tone="warn" className="mx-4 mb-4 md:mx-6">
          {outliers.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Notice>
      )}
      <QualityPlots samples={samples} />
      <Table caption={TEXTS.title} columns={COLUMNS} rows={samples} rowKey={({ name }) => name} />
    </>
  );
}

/** The quality of all samples, and which of them stand out. */
export function QualityCard({ study }: { study: Study }) {
  const { data, error, refetch } = useQuality(study);
  if (data?.samples.length === 0) return null;
  return (
    <Card flush title={TEXTS.title}>
      {data && <QualityTable quality={data} />}
      {!data && (
        <div className="px-4 pb-6 md:px-6">
          {error ? (
            <LoadFailure
              text={errorText(error, TEXTS.failed)}
              action={STUDIES_TEXTS.tryAgain}
              onRetry={() => void refetch()}
            />
          ) : (
            <Skeleton className="h-24" />
          )}
        </div>
      )}
    </Card>
  );
}
