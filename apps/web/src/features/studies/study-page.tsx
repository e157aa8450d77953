import { useState } from "react";
import { useParams, useLocation } from "wouter";
import { longDate } from "../../app/long-date.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { HelpLink } from "../../components/help-link.tsx";
import { Loading } from "../../components/load-failure.tsx";
import { Notice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { AnswersCard } from "./answers-card.tsx";
import { DesignCard } from "./design-card.tsx";
import { DownloadsCard } from "./downloads/downloads-card.tsx";
import { QualityCard } from "./quality-card.tsx";
import { ProgressCard } from "./samples/progress-card.tsx";
import { SAMPLES_TEXTS } from "./samples/texts.ts";
import { SpaceCard } from "./space/space-card.tsx";
import { SHARE_TEXTS, STUDIES_TEXTS, STUDY_TEXTS as TEXTS } from "./texts.ts";
import { useEditedDesign } from "./use-edited-design.ts";
import { useStudy, STUDIES_KEY, studyKey } from "./use-studies.ts";
import { deleteStudy, renameStudy, type Study } from "@stipple/contract/routes/studies";
import { useMutation, useQueryClient, useQuery } from "@tanstack/react-query";
import { api, errorText } from "../../app/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { NameForm } from "../../components/name-form.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { toast } from "../../components/toast-store.ts";
import {
  createStudyShare,
  listStudyShares,
  revokeStudyShare,
} from "@stipple/contract/routes/study-sharing";
import { ShareLinks } from "../../project/share-links/share-links.tsx";

/** One study: its samples and design, their quality, and what differs. */
export function StudyPage() {
  const { id = "" } = useParams<{ id: string }>();
  // The way back from another study starts over.
  return <OneStudy key={id} id={id} />;
}

function OneStudy({ id }: { id: string }) {
  const query = useStudy(id);
  const { data: study } = query;
  usePageTitle(study?.name ?? STUDIES_TEXTS.title);
  const editing = useEditedDesign(id, study);
  const { design, isSaved } = editing;
  const [dialog, setDialog] = useState<DialogsProps["open"]>(null);
  const asked = study && { ...study, isShared: false, mayExport: true };
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
      {!study && (
        <Loading
          query={query}
          texts={{ ...STUDIES_TEXTS, loadFailed: TEXTS.loadFailed(errorText(query.error)) }}
          height="h-96"
        />
      )}
      {study && asked && design && (
        <div className="space-y-6">
          {study.storage_expiry && (
            <Notice tone="info">{TEXTS.kept(longDate(study.storage_expiry))}</Notice>
          )}
          <ProgressCard study={study} />
          <DesignCard design={design} editing={editing} />
          <QualityCard study={study} />
          <AnswersCard study={asked} isSaved={isSaved} />
          <SpaceCard study={asked} isSaved={isSaved} />
          <DownloadsCard study={study} isSaved={isSaved} />
          <Dialogs study={study} open={dialog} onClose={() => setDialog(null)} />
        </div>
      )}
    </Page>
  );
}

interface DialogsProps {
  study: Study;
  open: "share" | "rename" | "delete" | null;
  onClose: () => void;
}

/** Share links of a study, another name, and the question before it is deleted. */
function Dialogs({ study: { id, name }, open, onClose }: DialogsProps) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const removal = useMutation({
    mutationFn: () => api(deleteStudy, { params: { id } }),
    onSuccess: () => {
      toast(TEXTS.deleted(name), { ok: true });
      void client.invalidateQueries({ queryKey: STUDIES_KEY });
      navigate("/studies");
    },
    onError: (error) => {
      toast(TEXTS.deleteFailed(errorText(error)), { failed: true });
      onClose();
    },
  });

  async function rename(to: string): Promise<string | undefined> {
    if (to !== name) {
      try {
        await api(renameStudy, { params: { id }, body: { name: to } });
      } catch (error) {
        return TEXTS.renameFailed(errorText(error));
      }
      client.setQueryData<Study>(studyKey(id), (one) => one && { ...one, name: to });
      void client.invalidateQueries({ queryKey: STUDIES_KEY });
    }
    onClose();
  }

  return (
    <>
      <Dialog
        open={open === "share"}
        onClose={onClose}
        title={SHARE_TEXTS.title}
        description={SHARE_TEXTS.text}
      >
        <StudyLinks id={id} />
      </Dialog>
      <Dialog open={open === "rename"} onClose={onClose} title={TEXTS.renameTitle}>
        <NameForm
          label={STUDIES_TEXTS.name}
          initial={name}
          needed={STUDIES_TEXTS.nameNeeded}
          onName={rename}
          onCancel={onClose}
          action={TEXTS.rename}
        />
      </Dialog>
      <ConfirmDialog
        open={open === "delete"}
        onClose={onClose}
        title={TEXTS.deleteTitle}
        description={TEXTS.deleteQuestion(name)}
        action={TEXTS.delete}
        busy={removal.isPending}
        onConfirm={() => removal.mutate()}
      />
    </>
  );
}

function StudyLinks({ id }: { id: string }) {
  const { data, isError, refetch } = useQuery({
    queryKey: [...studyKey(id), "shares"],
    queryFn: ({ signal }) => api(listStudyShares, { params: { id }, signal }),
  });
  return (
    <ShareLinks
      links={{
        ...{ shares: data ?? [], failed: isError },
        create: (body) => api(createStudyShare, { params: { id }, body }),
        revoke: (share) => api(revokeStudyShare, { params: { id, share } }),
        renew: refetch,
      }}
      opens={SHARE_TEXTS.opens}
    />
  );
}
