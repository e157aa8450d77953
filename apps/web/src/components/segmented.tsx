import { useId } from "react";
import { CoveringInput } from "./covering-input.tsx";
import { joinClasses } from "./join-classes.ts";

/** A choice between a few words, as a row of joined buttons (radio buttons underneath). */
export function Segmented<Value extends string>({
  label,
  names,
  choices = Object.keys(names) as Value[],
  value,
  onChange,
}: {
  /** Accessible name of the group. */
  label: string;
  /** What each choice is called. */
  names: Readonly<Record<NoInfer<Value>, string>>;
  /** Unless all that have a name. */
  choices?: readonly Value[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className="flex rounded-control border border-line bg-raised p-0.5"
    >
      {choices.map((choice) => (
        <label
          key={choice}
          className={joinClasses(
            "relative flex h-8 flex-1 cursor-pointer items-center justify-center rounded-[6px] px-2 text-[0.8125rem] font-medium whitespace-nowrap transition-colors duration-150 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-primary",
            choice === value
              ? "bg-card text-ink shadow-sm ring-1 ring-line"
              : "text-ink-2 hover:text-ink",
          )}
        >
          <CoveringInput
            type="radio"
            name={name}
            value={choice}
            checked={choice === value}
            onChange={() => onChange(choice)}
          />
          {names[choice]}
        </label>
      ))}
    </div>
  );
}
