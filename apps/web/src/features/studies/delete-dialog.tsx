import { deleteStudy, type Study } from "@stipple/contract/routes/studies";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { api, errorText } from "../../app/api.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { toast } from "../../components/toast-store.ts";
import { STUDIES_TEXTS, STUDY_TEXTS as TEXTS } from "./texts.ts";
import { STUDIES_KEY } from "./use-studies.ts";

/** Asks before a study is deleted. */
export function DeleteStudyDialog({
  study: { id, name },
  open,
  onClose,
}: {
  study: Study;
  open: boolean;
  onClose: () => void;
}) {
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
      toast(TEXTS.deleteFailed(errorText(error, STUDIES_TEXTS.connection)), { failed: true });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={TEXTS.deleteTitle}
      description={TEXTS.deleteQuestion(name)}
      action={TEXTS.delete}
      cancel={STUDIES_TEXTS.cancel}
      busy={removal.isPending}
      onConfirm={() => removal.mutate()}
    />
  );
}
