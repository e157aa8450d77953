import { renameStudy, type Study } from "@stipple/contract/routes/studies";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { api, errorText } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
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
  const [name, setName] = useState(study.name);
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

  function rename(event: FormEvent): void {
    event.preventDefault();
    const to = name.trim();
    if (to === "") return setProblem(STUDIES_TEXTS.nameNeeded);
    if (to === study.name) return onClose();
    renaming.mutate(to);
  }

  return (
    <form noValidate onSubmit={rename}>
      <Field label={STUDIES_TEXTS.name} error={problem}>
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
        <Button onClick={onClose}>{STUDIES_TEXTS.cancel}</Button>
        <Button type="submit" variant="primary" busy={renaming.isPending}>
          {TEXTS.rename}
        </Button>
      </div>
    </form>
  );
}
