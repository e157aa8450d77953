import { useState } from "react";
import { useParams } from "wouter";
import { longDate } from "../../app/long-date.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { HelpLink } from "../../components/help-link.tsx";
import { LoadFailure } from "../../components/load-failure.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { AnswersCard } from "./answers-card.tsx";
import { DeleteStudyDialog } from "./delete-dialog.tsx";
import { designOf, isSame, type Design } from "./design.ts";
import { DesignCard } from "./design-card.tsx";
import { DownloadsCard } from "./downloads/downloads-card.tsx";
import { QualityCard } from "./quality-card.tsx";
import { ProgressCard } from "./samples/progress-card.tsx";
import { SAMPLES_TEXTS } from "./samples/texts.ts";
import { RenameStudyDialog } from "./rename-dialog.tsx";
import { ShareStudyDialog } from "./share-dialog.tsx";
import { SpaceCard } from "./space/space-card.tsx";
import { SHARE_TEXTS, STUDIES_TEXTS, STUDY_TEXTS as TEXTS } from "./texts.ts";
import { useStudy } from "./use-studies.ts";

/** One study: its samples and design, their quality, and what differs. */
export function StudyPage() {
  const { id = "" } = useParams<{ id: string }>();
  const { data: study, isError, refetch } = useStudy(id);
  usePageTitle(study?.name ?? STUDIES_TEXTS.title);
  const [edited, setEdited] = useState<Design | null>(null);
  const [dialog, setDialog] = useState<"share" | "rename" | "delete" | null>(null);
  const stored = study && designOf(study);
  const design = edited ?? stored;
  const asked = study && { ...study, isShared: false, mayExport: true };
  const isSaved = !edited || !stored || isSame(edited, stored);
  return (
    <Page
      title={study?.name ?? STUDIES_TEXTS.title}
      actions={
        <>
          <HelpLink page="studies" className="self-center" />
          <ButtonLink to="/studies">{TEXTS.back}</ButtonLink>
          {study && (
            <>
              <ButtonLink to={`/studies/${id}/samples`}>{SAMPLES_TEXTS.title}</ButtonLink>
              {study.samples.length > 0 && (
                <ButtonLink to={`/studies/${id}/view`}>{TEXTS.together}</ButtonLink>
              )}
              <Button onClick={() => setDialog("share")}>{SHARE_TEXTS.share}</Button>
              <Button onClick={() => setDialog("rename")}>{TEXTS.rename}</Button>
              <Button onClick={() => setDialog("delete")}>{TEXTS.delete}</Button>
            </>
          )}
        </>
      }
    >
      {!study && isError && (
        <LoadFailure
          text={STUDIES_TEXTS.loadFailed}
          action={STUDIES_TEXTS.tryAgain}
          onRetry={() => void refetch()}
        />
      )}
      {!study && !isError && <Skeleton className="h-96" />}
      {study && asked && design && (
        <div className="space-y-6">
          {study.storage_expiry && (
            <Notice tone="info">{TEXTS.kept(longDate(study.storage_expiry))}</Notice>
          )}
          <ProgressCard study={study} />
          <DesignCard
            studyId={id}
            design={design}
            isSaved={isSaved}
            onEdit={setEdited}
            onSaved={() => setEdited(null)}
          />
          <QualityCard study={study} />
          <AnswersCard study={asked} isSaved={isSaved} />
          <SpaceCard study={asked} isSaved={isSaved} />
          <DownloadsCard study={study} isSaved={isSaved} />
          <ShareStudyDialog
            studyId={id}
            open={dialog === "share"}
            onClose={() => setDialog(null)}
          />
          <RenameStudyDialog
            study={study}
            open={dialog === "rename"}
            onClose={() => setDialog(null)}
          />
          <DeleteStudyDialog
            study={study}
            open={dialog === "delete"}
            onClose={() => setDialog(null)}
          />
        </div>
      )}
    </Page>
  );
}
