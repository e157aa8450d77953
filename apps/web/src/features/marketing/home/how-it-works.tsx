import { HOME_TEXTS, HOW_STEPS } from "./texts.ts";
import { Section } from "../section.tsx";

export function HowItWorks() {
  return (
    <Section title={HOME_TEXTS.howTitle} text={HOME_TEXTS.howText}>
      <ol className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
        {HOW_STEPS.map(({ title, text }, at) => (
          <li key={title} className="border-t-2 border-primary pt-5">
            <p className="text-[0.8125rem] font-medium text-primary">Step {at + 1}</p>
            <h3 className="mt-1 text-lg">{title}</h3>
            <p className="mt-2 text-[0.9375rem] leading-6 text-ink-2">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
