import { renameStudy, type Study } from "@stipple/contract/routes/studies";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, errorText } from "../../app/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { NameForm } from "../../components/name-form.tsx";
import { STUDIES_TEXTS, STUDY_TEXTS as TEXTS } from "./texts.ts";
import { STUDIES_KEY, studyKey } from "./use-studies.ts";

interface Renaming {
  study: Study;
  open: boolean;
  onClose: () => void;
}

/** Gives a study another name. */
export function RenameStudyDialog({ study, open, onClose }: Renaming) {
  return (
    <Dialog open={open} onClose={onClose} title={TEXTS.renameTitle}>
      {open && <RenameForm study={study} onClose={onClose} />}
    </Dialog>
  );
}

function RenameForm({ study, onClose }: Omit<Renaming, "open">) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const renaming = useMutation({
    mutationFn: (to: string) => api(renameStudy, { params: { id: study.id }, body: { name: to } }),
    onSuccess: (_, to) => {
      client.setQueryData<Study>(studyKey(study.id), (one) => one && { ...one, name: to });
      void client.invalidateQueries({ queryKey: STUDIES_KEY });
      onClose();
    },
    onError: (error) => setProblem(TEXTS.renameFailed(errorText(error, STUDIES_TEXTS.connection))),
  });

  function rename(to: string): void {
    if (to === "") return setProblem(STUDIES_TEXTS.nameNeeded);
    if (to === study.name) return onClose();
    renaming.mutate(to);
  }

  return (
    <NameForm
      label={STUDIES_TEXTS.name}
      initial={study.name}
      problem={problem}
      onEdit={() => setProblem(undefined)}
      onName={rename}
      onCancel={onClose}
      action={TEXTS.rename}
      cancel={STUDIES_TEXTS.cancel}
      busy={renaming.isPending}
    />
  );
}
