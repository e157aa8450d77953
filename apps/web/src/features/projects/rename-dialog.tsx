import { renameProject, type Project } from "@stipple/contract/routes/projects";
import { useQueryClient } from "@tanstack/react-query";
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
  const client = useQueryClient();

  async function rename({ id, name }: Project, to: string): Promise<string | undefined> {
    if (to !== name) {
      try {
        await api(renameProject, { params: { id }, body: { project_name: to } });
      } catch (error) {
        return TEXTS.renameFailed(errorText(error));
      }
      client.setQueryData<Project[]>(PROJECTS_KEY, (all) =>
        all?.map((one) => (one.id === id ? { ...one, name: to } : one)),
      );
      void client.invalidateQueries({ queryKey: PROJECTS_KEY });
    }
    onClose();
  }

  return (
    <Dialog open={project !== null} onClose={onClose} title={TEXTS.renameTitle}>
      {project && (
        <NameForm
          key={project.id}
          label={projectNameTexts.label}
          initial={project.name}
          needed={projectNameTexts.required}
          onName={(to) => rename(project, to)}
          onCancel={onClose}
          action={TEXTS.rename}
        />
      )}
    </Dialog>
  );
}
