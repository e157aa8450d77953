import { useParams } from "wouter";
import { momentText } from "../../../app/long-date.ts";
import { usePageTitle } from "../../../app/use-page-title.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { HelpLink } from "../../../components/help-link.tsx";
import { Loading } from "../../../components/load-failure.tsx";
import { Notice } from "../../../components/notice.tsx";
import { Page } from "../../../components/page.tsx";
import { AnswersCard } from "../answers-card.tsx";
import { askedByGuest, conditionsOf } from "../asked-study.ts";
import { ofOrder, QualityTable } from "../quality-card.tsx";
import { SpaceCard } from "../space/space-card.tsx";
import { QUALITY_TEXTS, STUDY_TEXTS, DESIGN_TEXTS } from "../texts.ts";
import { GUEST_TEXTS as TEXTS } from "./texts.ts";
import { useSharedStudy } from "./use-shared-study.ts";
import type { SharedStudy } from "@stipple/contract/routes/study-sharing";
import { Table, type Column } from "../../../components/table.tsx";
import { cellOf, FIXED_COLUMNS } from "../design.ts";
import { titleOf } from "../design-table.tsx";

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

/** A study behind a share link, without a sign-in: what its owner sees of it, nothing to change. */
export function GuestStudyPage() {
  const { token = "" } = useParams<{ token: string }>();
  const { study, end, error, refetch } = useSharedStudy(token);
  usePageTitle(study?.name ?? TEXTS.title);
  const asked = study && askedByGuest(token, study);
  const hasViews = study?.samples.some(({ view }) => view !== null);
  return (
    <Page
      title={study?.name ?? TEXTS.title}
      text={study ? TEXTS.text(momentText(study.expires_at)) : ""}
      actions={
        <>
          <HelpLink page="studies" className="self-center" />
          {hasViews && <ButtonLink to={`/study/${token}/view`}>{STUDY_TEXTS.together}</ButtonLink>}
        </>
      }
    >
      {end && (
        <Notice tone="warn" title={TEXTS.endTitle}>
          <p>{end}</p>
        </Notice>
      )}
      {!study && !end && <Loading query={{ error, refetch }} texts={TEXTS} height="h-96" />}
      {study && asked && (
        <div className="space-y-6">
          <GuestSamples study={study} />
          <Card flush title={QUALITY_TEXTS.title}>
            <QualityTable quality={study.quality} />
          </Card>
          {conditionsOf(asked).length > 1 && <AnswersCard study={asked} isSaved />}
          {study.samples.length > 1 && <SpaceCard study={asked} isSaved />}
        </div>
      )}
    </Page>
  );
}

type Sample = SharedStudy["samples"][number];

/** The samples and what each is, as far as the design is filled in. */
function GuestSamples({ study: { columns, samples } }: { study: SharedStudy }) {
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
        rowKey={ofOrder}
      />
    </Card>
  );
}
