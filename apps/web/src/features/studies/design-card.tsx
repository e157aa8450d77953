import { changeStudy } from "@stipple/contract/routes/studies";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, errorText } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { AddColumnDialog } from "./add-column-dialog.tsx";
import { AddProjectsDialog } from "./add-projects-dialog.tsx";
import { sent, withCsv, type Design } from "./design.ts";
import { DesignActions } from "./design-actions.tsx";
import { DesignTable } from "./design-table.tsx";
import { DESIGN_TEXTS as TEXTS, STUDIES_TEXTS } from "./texts.ts";
import { STUDIES_KEY, studyKey } from "./use-studies.ts";

/** The samples and what each is, as a table to edit. */
export function DesignCard({
  studyId,
  design,
  isSaved,
  onEdit,
  onSaved,
}: {
  studyId: string;
  design: Design;
  isSaved: boolean;
  onEdit: (design: Design) => void;
  onSaved: () => void;
}) {
  const client = useQueryClient();
  const [dialog, setDialog] = useState<"projects" | "column" | null>(null);
  const [said, setSaid] = useState<{ text: string; failed: boolean } | null>(null);
  const edit = (next: Design): void => {
    setSaid(null);
    onEdit(next);
  };
  const saving = useMutation({
    mutationFn: () => api(changeStudy, { params: { id: studyId }, body: sent(design) }),
    onSuccess: (study) => {
      client.setQueryData(studyKey(studyId), study);
      void client.invalidateQueries({ queryKey: [...studyKey(studyId), "quality"] });
      void client.invalidateQueries({ queryKey: STUDIES_KEY });
      onSaved();
      setSaid({ text: TEXTS.saved, failed: false });
    },
    onError: (error) =>
      setSaid({
        text: TEXTS.saveFailed(errorText(error, STUDIES_TEXTS.connection)),
        failed: true,
      }),
  });
  function importFrom(text: string): void {
    const read = withCsv(design, text);
    if (typeof read === "string") return setSaid({ text: read, failed: true });
    onEdit(read.design);
    setSaid({ text: TEXTS.imported(read.rows), failed: false });
  }
  return (
    <Card
      flush
      title={TEXTS.title}
      description={TEXTS.text}
      actions={<DesignActions design={design} onDialog={setDialog} onImport={importFrom} />}
    >
      {design.samples.length > 0 ? (
        <DesignTable design={design} onEdit={edit} />
      ) : (
        <p className="px-4 text-ink-2 md:px-6">{TEXTS.empty}</p>
      )}
      <div className="flex flex-wrap items-center gap-3 px-4 py-4 md:px-6">
        <Button
          variant="primary"
          disabled={isSaved}
          busy={saving.isPending}
          onClick={() => saving.mutate()}
        >
          {TEXTS.save}
        </Button>
        {said && <StatusMessage failed={said.failed} text={said.text} className="min-w-0" />}
        {!said && !isSaved && <p className="text-ink-2">{TEXTS.unsaved}</p>}
      </div>
      <AddProjectsDialog
        open={dialog === "projects"}
        design={design}
        onEdit={edit}
        onClose={() => setDialog(null)}
      />
      <AddColumnDialog
        open={dialog === "column"}
        design={design}
        onEdit={edit}
        onClose={() => setDialog(null)}
      />
    </Card>
  );
}
