import { renameProject, type Project } from "@stipple/contract/routes/projects";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, errorText } from "../../app/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { NameForm } from "../../components/name-form.tsx";
import { projectNameTexts } from "../../project/texts.ts";
import { PROJECTS_TEXTS as TEXTS } from "./texts.ts";
import { PROJECTS_KEY } from "./use-projects.ts";

/** Gives a project another name; open while `project` is set. */
export function RenameDialog({
  project,
  onClose,
}: {
  project: Project | null;
  onClose: () => void;
}) {
  return (
    <Dialog open={project !== null} onClose={onClose} title={TEXTS.renameTitle}>
      {project && <RenameForm key={project.id} project={project} onClose={onClose} />}
    </Dialog>
  );
}

function RenameForm({ project, onClose }: { project: Project; onClose: () => void }) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const renaming = useMutation({
    mutationFn: (to: string) =>
      api(renameProject, { params: { id: project.id }, body: { project_name: to } }),
    onSuccess: (_, to) => {
      client.setQueryData<Project[]>(PROJECTS_KEY, (all) =>
        all?.map((one) => (one.id === project.id ? { ...one, name: to } : one)),
      );
      void client.invalidateQueries({ queryKey: PROJECTS_KEY });
      onClose();
    },
    onError: (error) => setProblem(TEXTS.renameFailed(errorText(error, TEXTS.connection))),
  });

  function rename(to: string): void {
    if (to === "") return setProblem(projectNameTexts.required);
    if (to === project.name) return onClose();
    renaming.mutate(to);
  }

  return (
    <NameForm
      label={projectNameTexts.label}
      initial={project.name}
      problem={problem}
      onEdit={() => setProblem(undefined)}
      onName={rename}
      onCancel={onClose}
      action={TEXTS.rename}
      cancel={TEXTS.cancel}
      busy={renaming.isPending}
    />
  );
}
