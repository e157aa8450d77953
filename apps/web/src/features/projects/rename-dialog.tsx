import { renameProject, type Project } from "@stipple/contract/routes/projects";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { api, errorText } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
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
  const [name, setName] = useState(project.name);
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

  function rename(event: FormEvent): void {
    event.preventDefault();
    const to = name.trim();
    if (to === "") return setProblem(projectNameTexts.required);
    if (to === project.name) return onClose();
    renaming.mutate(to);
  }

  return (
    <form noValidate onSubmit={rename}>
      <Field label={projectNameTexts.label} error={problem}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            maxLength={200}
            value={name}
            onChange={({ target }) => {
              setName(target.value);
              setProblem(undefined);
            }}
          />
        )}
      </Field>
      <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>{TEXTS.cancel}</Button>
        <Button type="submit" variant="primary" busy={renaming.isPending}>
          {TEXTS.rename}
        </Button>
      </div>
    </form>
  );
}
