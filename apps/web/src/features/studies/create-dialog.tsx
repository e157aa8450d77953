import { createStudy } from "@stipple/contract/routes/studies";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { api, errorText } from "../../app/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { NameForm } from "../../components/name-form.tsx";
import { ProjectChoice } from "./project-choice.tsx";
import { STUDIES_TEXTS as TEXTS } from "./texts.ts";
import { STUDIES_KEY, useChoosableProjects } from "./use-studies.ts";

/** Asks for a name and projects, and opens the new study. */
export function CreateDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={TEXTS.createTitle}>
      {open && <CreateForm onClose={onClose} />}
    </Dialog>
  );
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { data: projects } = useChoosableProjects(true);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string>();
  const creating = useMutation({
    mutationFn: (name: string) => api(createStudy, { body: { name, project_ids: [...chosen] } }),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: STUDIES_KEY });
      navigate(`/studies/${id}`);
    },
    onError: (error) => setProblem(TEXTS.createFailed(errorText(error, TEXTS.connection))),
  });

  function create(name: string): void {
    if (name === "") return setProblem(TEXTS.nameNeeded);
    creating.mutate(name);
  }

  return (
    <NameForm
      label={TEXTS.name}
      problem={problem}
      onEdit={() => setProblem(undefined)}
      onName={create}
      onCancel={onClose}
      action={TEXTS.createAction}
      cancel={TEXTS.cancel}
      busy={creating.isPending}
    >
      {projects?.length === 0 && <p className="text-ink-2">{TEXTS.noProjects}</p>}
      {projects && projects.length > 0 && (
        <ProjectChoice
          legend={TEXTS.projects}
          projects={projects}
          chosen={chosen}
          onChange={setChosen}
        />
      )}
    </NameForm>
  );
}
