import { deleteProject, type Project } from "@stipple/contract/routes/projects";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ApiError, errorText } from "../../app/api.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { toast } from "../../components/toast-store.ts";
import { PROJECTS_TEXTS as TEXTS } from "./texts.ts";
import { PROJECTS_KEY } from "./use-projects.ts";

/** Asks before a project is deleted; open while `project` is set. */
export function DeleteDialog({
  project,
  onClose,
}: {
  project: Project | null;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const removal = useMutation({
    mutationFn: ({ id }: Project) => api(deleteProject, { params: { id } }),
    onSuccess: (_, { name }) => toast(TEXTS.deleted(name), { ok: true }),
    onError: (error) => toast(TEXTS.deleteFailed(errorText(error)), { failed: true }),
    onSettled: (_, error, { id }) => {
      if (isGone(error)) {
        client.setQueryData<Project[]>(PROJECTS_KEY, (all) => all?.filter((one) => one.id !== id));
      }
      onClose();
      // Do not keep the dialog busy until the list has loaded.
      void client.invalidateQueries({ queryKey: PROJECTS_KEY });
    },
  });
  return (
    <ConfirmDialog
      open={project !== null}
      onClose={() => {
        removal.reset();
        onClose();
      }}
      finalFocus={() =>
        // The pressed button has gone with the project's row.
        !removal.isIdle && isGone(removal.error)
          ? (document.querySelector<HTMLElement>("main table") ?? document.getElementById("main"))
          : true
      }
      title={TEXTS.deleteTitle}
      description={
        project &&
        [
          TEXTS.deleteQuestion(project.name),
          ...(project.studies ? [TEXTS.deleteFromStudies(project.studies)] : []),
        ].join(" ")
      }
      action={TEXTS.delete}
      busy={removal.isPending}
      onConfirm={() => project && removal.mutate(project)}
    />
  );
}

/** Whether a deletion with this outcome leaves no project: another tab may have been first. */
function isGone(error: Error | null): boolean {
  return error === null || (error instanceof ApiError && error.status === 404);
}
