import { VALIDATION_FIGURES } from "../../texts/validation-figures.ts";
import { VALIDATION_TEXTS as TEXTS } from "../../texts/validation.ts";

/** The three figures in plain words, each with its caveat. */
export function Overview() {
  return (
    <ul className="grid gap-4 lg:grid-cols-3">
      {VALIDATION_FIGURES.map(({ id, value, label, meaning, caveat }) => (
        <li key={id} className="flex flex-col rounded-card border border-line bg-card p-6">
          <p className="text-5xl font-semibold tracking-tight text-primary">{value}</p>
          <p className="mt-2 text-base font-medium">{label}</p>
          <p className="mt-3 text-[0.9375rem] leading-6 text-ink-2">{meaning}</p>
          <p className="mt-4 border-t border-line pt-4 text-ink-3">
            <span className="font-medium text-ink-2">{TEXTS.caveat}: </span>
            {caveat}
          </p>
        </li>
      ))}
    </ul>
  );
}
