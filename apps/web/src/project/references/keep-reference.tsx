import { keepReference } from "@stipple/contract/routes/references";
import { useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus } from "lucide-react";
import { useState, type FormEvent } from "react";
import { api } from "../../app/api.ts";
import { useAttempt } from "../../app/use-attempt.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { toast } from "../../components/toast-store.ts";
import { referenceTexts as TEXTS } from "./texts.ts";
import { REFERENCES_KEY } from "./use-references.ts";

/** Keeps the reference that was uploaded to a project, for others of the same person. */
export function KeepReference({ projectId, fileName }: { projectId: string; fileName: string }) {
  const [open, setOpen] = useState(false);
  if (open) {
    return <KeepForm projectId={projectId} fileName={fileName} onDone={() => setOpen(false)} />;
  }
  return (
    <Button size="sm" className="mt-2" icon={BookmarkPlus} onClick={() => setOpen(true)}>
      {TEXTS.keep}
    </Button>
  );
}

const FIELDS = [
  { name: "name", label: TEXTS.name, required: true },
  { name: "tissue", label: TEXTS.tissue, required: true, placeholder: TEXTS.tissuePlaceholder },
  { name: "labels", label: TEXTS.labels, placeholder: TEXTS.labelsPlaceholder },
  { name: "source", label: TEXTS.source, placeholder: TEXTS.optional },
  { name: "citation", label: TEXTS.citation, placeholder: TEXTS.optional },
  { name: "license", label: TEXTS.license, placeholder: TEXTS.optional },
] as const;

function KeepForm({
  projectId,
  fileName,
  onDone,
}: {
  projectId: string;
  fileName: string;
  onDone: () => void;
}) {
  const client = useQueryClient();
  const [values, setValues] = useState<Record<string, string>>({ name: nameOf(fileName) });
  const { attempt, busy, message } = useAttempt();
  const given = (name: string): string => values[name]?.trim() ?? "";

  async function keep(event: FormEvent): Promise<void> {
    event.preventDefault();
    const filled = Object.fromEntries(
      FIELDS.flatMap(({ name }) => (given(name) === "" ? [] : [[name, given(name)]])),
    );
    await attempt(async () => {
      const body = { project_id: projectId, name: "", tissue: "", ...filled };
      const { name } = await api(keepReference, { body });
      await client.invalidateQueries({ queryKey: REFERENCES_KEY });
      toast(TEXTS.kept(name), { ok: true });
      onDone();
    }, TEXTS.keepFailed);
  }

  return (
    <form
      noValidate
      aria-label={TEXTS.keep}
      className="mt-3 flex flex-col gap-3 rounded-control border border-line p-4"
      onSubmit={(event) => void keep(event)}
    >
      <p className="text-[0.8125rem] text-ink-2">{TEXTS.keepHint}</p>
      <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {FIELDS.map(({ name, label, ...rest }) => (
          <TextField
            key={name}
            label={label}
            {...rest}
            maxLength={name === "name" ? 60 : name === "tissue" ? 40 : 300}
            value={values[name] ?? ""}
            onText={(text) => setValues({ ...values, [name]: text })}
          />
        ))}
      </div>
      <StatusMessage failed text={message?.text} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{TEXTS.cancel}</Button>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={busy || given("name") === "" || given("tissue") === ""}
        >
          {TEXTS.save}
        </Button>
      </div>
    </form>
  );
}

/** The file's name as far as a reference may be called that. */
function nameOf(fileName: string): string {
  return fileName
    .replace(/\.h5ad$/i, "")
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 60);
}
