import { STEPS } from "@stipple/contract/steps";
import { ApiError, errorText } from "../../app/api.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { changeTexts as TEXTS } from "./texts.ts";
import type { RunPlan } from "./use-run-plan.ts";

/** Says before a run which steps it repeats, about how long that takes, and whether it counts. */
export function PlanLines({ planned: { plan, pending, error } }: { planned: RunPlan }) {
  if (error) {
    // Not an error while files are still to be uploaded.
    const isEarly = error instanceof ApiError && error.code === "inputs_missing";
    return isEarly ? (
      <Notice tone="info">{error.error}</Notice>
    ) : (
      <Notice tone="bad">
        {TEXTS.planFailed(errorText(error, "the server did not respond."))}
      </Notice>
    );
  }
  if (!plan) return <p role="status">{TEXTS.planning}</p>;
  if (plan.refusal) {
    return (
      <Notice
        tone="warn"
        actions={
          <ButtonLink size="sm" to="/pricing">
            {TEXTS.seePlans}
          </ButtonLink>
        }
      >
        {plan.refusal}
      </Notice>
    );
  }
  const isFirst = plan.steps.length === STEPS.length && plan.counts_analysis;
  return (
    <div role="status" aria-busy={pending} className="rounded-control bg-raised px-4 py-3">
      {plan.steps.length === 0 ? (
        <p>{TEXTS.unchanged}</p>
      ) : (
        <>
          <p className="font-medium">
            {TEXTS.steps(plan, STEPS.length)}. {TEXTS.about(plan)}
          </p>
          {plan.steps.length < STEPS.length && (
            <p className="mt-0.5 text-[0.8125rem] text-ink-2">
              {plan.steps.map(({ number, name }) => `${number}. ${name}`).join(" · ")}
            </p>
          )}
          <p className="mt-0.5 text-[0.8125rem] text-ink-2">
            {plan.counts_analysis
              ? isFirst
                ? TEXTS.firstCounted
                : TEXTS.counted
              : TEXTS.notCounted}
            {plan.ends_share_links > 0 && ` ${TEXTS.endsShareLinks(plan.ends_share_links)}`}
          </p>
          {plan.cell_annotations > 0 && (
            <p className="mt-0.5 text-[0.8125rem] text-warn">
              {TEXTS.cellAnnotations(plan.cell_annotations)}
            </p>
          )}
        </>
      )}
    </div>
  );
}
