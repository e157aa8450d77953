import { studyQuality, type Study, type StudyQuality } from "@stipple/contract/routes/studies";
import { api, errorText } from "../../app/api.ts";
import { Card } from "../../components/card.tsx";
import { Loading } from "../../components/load-failure.tsx";
import { Notice } from "../../components/notice.tsx";
import type { Column } from "../../components/table.tsx";
import { FoldedTable } from "./folded-table.tsx";
import { QUALITY_TEXTS as TEXTS, STUDIES_TEXTS } from "./texts.ts";
import { studyKey } from "./use-studies.ts";
import { figureText, wholeText } from "./figures.ts";
import { useQuery } from "@tanstack/react-query";

/** A number by which samples are compared. */
interface Measure {
  title: string;
  /** Null where it could not be measured. */
  of(quality: StudyQuality): number | null;
  text(value: number): string;
}

const percentText = (share: number): string => `${Math.round(100 * share)}%`;

const MEASURES: readonly Measure[] = [
  { title: TEXTS.umis, of: (one) => one.median_umis_per_spot, text: wholeText },
  { title: TEXTS.genes, of: (one) => one.median_genes_per_spot, text: wholeText },
  { title: TEXTS.cells, of: (one) => one.cells, text: wholeText },
  { title: TEXTS.reliable, of: (one) => one.reliable_genes, text: wholeText },
  { title: TEXTS.heldout, of: (one) => one.heldout_correlation, text: figureText },
  { title: TEXTS.image, of: (one) => one.clear_image, text: percentText },
  { title: TEXTS.registration, of: (one) => one.spots_on_tissue, text: percentText },
];

const [WIDTH, HEIGHT, MARGIN] = [200, 24, 6];

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

/** Samples may share a name. */
export const ofOrder = (_: unknown, at: number): string => `${at}`;

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
      <FoldedTable caption={TEXTS.title} columns={COLUMNS} rows={samples} rowKey={ofOrder} />
    </>
  );
}

/** The quality of all samples, and which of them stand out. */
export function QualityCard({ study }: { study: Study }) {
  const finished = study.samples.filter(({ status }) => status === "completed").length;
  const query = useQuery({
    queryKey: [...studyKey(study.id), "quality", finished],
    queryFn: ({ signal }) => api(studyQuality, { params: { id: study.id }, signal }),
  });
  const { data, error } = query;
  if (data?.samples.length === 0) return null;
  return (
    <Card flush title={TEXTS.title}>
      {data ? (
        <QualityTable quality={data} />
      ) : (
        <Loading
          flush
          query={query}
          texts={{ ...STUDIES_TEXTS, loadFailed: errorText(error, TEXTS.failed) }}
          height="h-24"
        />
      )}
    </Card>
  );
}

interface Known {
  name: string;
  value: number;
}

/** Each measure on an axis of its own with a dot for each sample, so that those that stand out are seen. */
function QualityPlots({ samples }: { samples: readonly Row[] }) {
  const plots = MEASURES.flatMap((measure) => {
    const known = samples.flatMap(({ name, quality }): Known[] => {
      const value = quality && measure.of(quality);
      return value === null ? [] : [{ name, value }];
    });
    return known.length < 2 ? [] : [{ measure, known }];
  });
  if (plots.length === 0) return null;
  return (
    <ul
      aria-label={TEXTS.plots}
      className="grid grid-cols-2 gap-x-6 gap-y-4 px-4 pb-4 md:grid-cols-4 md:px-6"
    >
      {plots.map(({ measure, known }) => (
        <li key={measure.title}>
          <QualityPlot measure={measure} known={known} />
        </li>
      ))}
    </ul>
  );
}

function QualityPlot({ measure, known }: { measure: Measure; known: readonly Known[] }) {
  const { title, text } = measure;
  const sorted = known.toSorted((a, b) => a.value - b.value);
  const [least, most] = [sorted[0]!, sorted.at(-1)!];
  const span = most.value - least.value;
  const x = (value: number): number =>
    span === 0 ? WIDTH / 2 : MARGIN + ((value - least.value) / span) * (WIDTH - 2 * MARGIN);
  const ends = TEXTS.ends(text(least.value), least.name, text(most.value), most.name);
  return (
    <figure>
      <figcaption className="text-[0.8125rem] text-ink-2">{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}: ${ends}`}>
        <line
          {...{ x1: MARGIN, x2: WIDTH - MARGIN, y1: HEIGHT / 2, y2: HEIGHT / 2 }}
          className="stroke-line"
        />
        {sorted.map(({ name, value }, at) => (
          <circle key={at} cx={x(value)} cy={HEIGHT / 2} r={4} className="fill-primary/60">
            <title>{`${name}: ${text(value)}`}</title>
          </circle>
        ))}
      </svg>
      <p className="flex justify-between gap-2 text-xs text-ink-3 tabular-nums">
        <span>{text(least.value)}</span>
        {span > 0 && <span>{text(most.value)}</span>}
      </p>
    </figure>
  );
}
