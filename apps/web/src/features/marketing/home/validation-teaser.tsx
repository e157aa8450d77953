import { ArrowRight } from "lucide-react";
import { ButtonLink } from "../../../components/button.tsx";
import { HOME_TEXTS } from "../../../texts/home.ts";
import { VALIDATION_FIGURES } from "../../../texts/validation-figures.ts";
import { Section } from "../section.tsx";

export function ValidationTeaser() {
  return (
    <Section tinted title={HOME_TEXTS.validationTitle} text={HOME_TEXTS.validationText}>
      <dl className="grid gap-8 sm:grid-cols-3">
        {VALIDATION_FIGURES.map(({ id, value, label }) => (
          <div key={id} className="flex flex-col-reverse justify-end">
            <dt className="mt-2 text-ink-2">{label}</dt>
            <dd className="text-5xl font-semibold tracking-tight text-primary">{value}</dd>
          </div>
        ))}
      </dl>
      <ButtonLink to="/validation" className="mt-10">
        {HOME_TEXTS.viewValidation}
        <ArrowRight aria-hidden className="size-4" />
      </ButtonLink>
    </Section>
  );
}
