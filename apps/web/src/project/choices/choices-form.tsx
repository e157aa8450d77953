import { ChevronRight } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { choiceTexts } from "./texts.ts";
import { ChoiceControl } from "./choice-control.tsx";
import { DETECTION_STEP, DetectionSection } from "../detection/detection-section.tsx";
import { PlanLines } from "../change/plan-lines.tsx";
import type { RunPlan } from "../change/use-run-plan.ts";
import { choicesOf, countValues, valueAt, withValue } from "./choice-schema.ts";
import type { ChoiceGroup, RunChoosing } from "./use-choices.ts";

/** Settings and parameters of the next run, collapsed; the form is generated from what the steps declare. */
export function ChoicesForm({
  choosing,
  open,
  onToggle,
  disabled,
  planned,
  projectId,
}: {
  choosing: RunChoosing;
  open: boolean;
  onToggle(open: boolean): void;
  disabled: boolean;
  /** What a start would do; nothing while none is possible. */
  planned?: RunPlan | undefined;
  /** Whose image the detection threshold can be tried on. */
  projectId?: string | undefined;
}) {
  return (
    <details
      className="group mt-5 border-t border-line pt-4"
      open={open}
      onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
    >
      <summary className="flex w-fit list-none items-center gap-2 rounded py-1 font-medium">
        <ChevronRight
          aria-hidden
          className="size-4 transition-transform duration-150 group-open:rotate-90"
        />
        {choiceTexts.title}
        {choosing.count > 0 && (
          <span className="text-[0.8125rem] font-normal text-ink-3">
            {choiceTexts.changed(choosing.count)}
          </span>
        )}
      </summary>
      {open && (
        <div className="mt-3 flex flex-col gap-4">
          <p className="text-[0.8125rem] text-ink-2">{choiceTexts.hint}</p>
          {choosing.failed && (
            <Notice
              tone="bad"
              actions={
                <Button size="sm" onClick={choosing.again}>
                  {choiceTexts.retry}
                </Button>
              }
            >
              {choiceTexts.failed}
            </Notice>
          )}
          {!choosing.groups && !choosing.failed && (
            <div role="status">
              <span className="sr-only">{choiceTexts.loading}</span>
              <Skeleton className="h-40" />
            </div>
          )}
          {choosing.groups && (
            <div className="border-y border-line">
              {choosing.groups.map((group) => (
                <Group key={group.id} {...{ group, choosing, disabled, projectId }} />
              ))}
            </div>
          )}
          {choosing.groups && planned && <PlanLines planned={planned} />}
          {choosing.count > 0 && (
            <Button className="self-start" disabled={disabled} onClick={choosing.reset}>
              {choiceTexts.reset}
            </Button>
          )}
        </div>
      )}
    </details>
  );
}

/** One group of choices, collapsed until opened: together they would fill ten phone screens. */
function Group({
  group,
  choosing,
  disabled,
  projectId,
}: {
  group: ChoiceGroup;
  choosing: RunChoosing;
  disabled: boolean;
  projectId: string | undefined;
}) {
  const choices = choicesOf(group.schema);
  if (choices.length === 0) return null;
  const values = choosing.of(group);
  const changed = countValues(values);
  return (
    <details className="group/step border-t border-line first:border-t-0">
      <summary className="flex list-none flex-wrap items-center gap-x-2 py-2.5 font-medium">
        <ChevronRight
          aria-hidden
          className="size-4 transition-transform duration-150 group-open/step:rotate-90"
        />
        {/* In a narrow place it breaks next to the arrow, not below it. */}
        <span className="max-w-[calc(100%-1.5rem)]">
          {group.step ? `${group.step.number}. ${group.step.name}` : choiceTexts.settings}
        </span>
        {changed > 0 && <StatusPill tone="info">{choiceTexts.changed(changed)}</StatusPill>}
      </summary>
      <fieldset disabled={disabled} className="min-w-0 pb-5">
        <legend className="sr-only">{group.step?.name ?? choiceTexts.settings}</legend>
        <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
          {choices.map((choice) => (
            <ChoiceControl
              key={choice.path.join(".")}
              choice={choice}
              value={valueAt(values, choice.path)}
              onChange={(value) => choosing.set(group, withValue(values, choice.path, value))}
            />
          ))}
        </div>
        {group.id === DETECTION_STEP && projectId !== undefined && (
          <div className="mt-5">
            <DetectionSection
              projectId={projectId}
              schema={group.schema}
              choices={values}
              onChange={(next) => choosing.set(group, next)}
            />
          </div>
        )}
      </fieldset>
    </details>
  );
}
