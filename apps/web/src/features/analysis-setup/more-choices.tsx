import { REFERENCE_SLOT } from "@stipple/contract/platforms/shared-slots";
import { acceptedExtension } from "@stipple/contract/platforms/upload-slot";
import { workflowChoices } from "@stipple/contract/routes/workflow";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { api } from "../../app/api.ts";
import { Field, Input } from "../../components/field.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { setupTexts as TEXTS } from "./texts.ts";
import { KeptReferenceChoice } from "../../project/references/kept-reference-choice.tsx";
import { SettingControls } from "../../project/change/setting-controls.tsx";
import type { Choices, ChoiceSchema } from "../../project/choices/choice-schema.ts";

/** Optional information about the tissue before the analysis. */
export interface More {
  settings: Choices;
  reference: File | null;
  /** Id of a kept reference. */
  kept: string | null;
}
export const NOTHING_MORE: More = { settings: {}, reference: null, kept: null };

/** Species, tissue, segmentation, and a reference, collapsed because all are optional. */
export function MoreChoices({ value, onChange }: { value: More; onChange: (more: More) => void }) {
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string>();
  const offered = useQuery({
    queryKey: ["workflow-choices"],
    queryFn: ({ signal }) => api(workflowChoices, { query: {}, signal }),
    enabled: open,
  });

  function takeReference(file: File | undefined): void {
    const isRight = !file || acceptedExtension(REFERENCE_SLOT, file.name) !== undefined;
    setProblem(isRight ? undefined : TEXTS.referenceWrong);
    onChange({ ...value, reference: isRight ? (file ?? null) : null, kept: null });
  }

  return (
    <details
      className="group rounded-control border border-line px-4 py-3"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex list-none gap-x-2 rounded font-medium">
        <ChevronRight
          aria-hidden
          className="mt-0.5 size-4 shrink-0 transition-transform duration-150 group-open:rotate-90"
        />
        <span>
          {TEXTS.more}{" "}
          <span className="text-[0.8125rem] font-normal text-ink-3">{TEXTS.moreOptional}</span>
        </span>
      </summary>
      {open && (
        <div className="mt-3 flex flex-col gap-4">
          <p className="text-[0.8125rem] text-ink-2">{TEXTS.moreHint}</p>
          {offered.isError && <StatusMessage failed text={TEXTS.moreFailed} />}
          {offered.isPending && <Skeleton className="h-40" />}
          {offered.data && (
            <SettingControls
              schema={offered.data.settings as ChoiceSchema}
              settings={value.settings}
              onChange={(settings) => onChange({ ...value, settings })}
              hasReference={value.reference !== null}
              hasCells={false}
            />
          )}
          <Field label={TEXTS.reference} hint={TEXTS.referenceHint} error={problem}>
            {(control) => (
              <Input
                {...control}
                type="file"
                accept={REFERENCE_SLOT.extensions.join(",")}
                className="h-auto py-2 file:mr-3 file:rounded file:border file:border-line file:bg-raised file:px-2 file:py-1"
                onChange={({ target }) => takeReference(target.files?.[0])}
              />
            )}
          </Field>
          {!value.reference && (
            <KeptReferenceChoice
              value={value.kept}
              onChange={(chosen) => onChange({ ...value, kept: chosen?.id ?? null })}
              onRemoved={() => onChange({ ...value, kept: null })}
            />
          )}
        </div>
      )}
    </details>
  );
}
