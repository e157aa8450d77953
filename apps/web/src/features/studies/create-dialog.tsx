import { createStudy } from "@stipple/contract/routes/studies";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { api, errorText } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
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
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string>();
  const creating = useMutation({
    mutationFn: () => api(createStudy, { body: { name: name.trim(), project_ids: [...chosen] } }),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: STUDIES_KEY });
      navigate(`/studies/${id}`);
    },
    onError: (error) => setProblem(TEXTS.createFailed(errorText(error, TEXTS.connection))),
  });

  function create(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() === "") return setProblem(TEXTS.nameNeeded);
    creating.mutate();
  }

  return (
    <form noValidate onSubmit={create} className="space-y-4">
      <Field label={TEXTS.name} error={problem}>
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
      {projects?.length === 0 && <p className="text-ink-2">{TEXTS.noProjects}</p>}
      {projects && projects.length > 0 && (
        <ProjectChoice
          legend={TEXTS.projects}
          projects={projects}
          chosen={chosen}
          onChange={setChosen}
        />
      )}
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>{TEXTS.cancel}</Button>
        <Button type="submit" variant="primary" busy={creating.isPending}>
          {TEXTS.createAction}
        </Button>
      </div>
    </form>
  );
}
