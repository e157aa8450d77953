import { useId, type ReactNode } from "react";
import { joinClasses } from "./join-classes.ts";

export interface Choice<Value extends string> {
  value: Value;
  label: string;
  hint?: ReactNode;
}

/** Radio buttons as cards, side by side where there is room. Nothing is chosen while `value` is "". */
export function ChoiceGroup<Value extends string>({
  legend,
  choices,
  value,
  onChange,
}: {
  legend: string;
  choices: readonly Choice<Value>[];
  value: Value | "";
  onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      {/* Floats, because Safari counts any other legend twice in a column of flex items. */}
      <legend className="float-left mb-1.5 w-full font-medium">{legend}</legend>
      <div className="clear-left grid gap-3 sm:grid-cols-2">
        {choices.map((choice) => {
          const chosen = choice.value === value;
          return (
            <label
              key={choice.value}
              className={joinClasses(
                "flex cursor-pointer items-start gap-3 rounded-control border px-4 py-3 transition-colors duration-150 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary",
                chosen
                  ? "border-primary bg-primary-tint"
                  : "border-line-input/60 bg-card hover:bg-raised",
              )}
            >
              <input
                type="radio"
                name={name}
                value={choice.value}
                checked={chosen}
                onChange={() => onChange(choice.value)}
                aria-describedby={choice.hint ? `${name}-${choice.value}` : undefined}
                aria-label={choice.label}
                className="mt-0.5 size-4 shrink-0 accent-primary outline-none"
              />
              <span className="min-w-0">
                <span className="block font-medium">{choice.label}</span>
                {choice.hint && (
                  <span
                    id={`${name}-${choice.value}`}
                    className="mt-0.5 block text-[0.8125rem] text-ink-2"
                  >
                    {choice.hint}
                  </span>
                )}
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
