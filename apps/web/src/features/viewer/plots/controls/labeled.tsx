import type { ReactNode } from "react";
import { SelectField } from "../../../../components/field.tsx";
import { joinClasses } from "../../../../components/join-classes.ts";

/** A field as small as panels have them. */
export const SMALL_FIELD =
  "gap-1! [&>label]:text-[0.8125rem] [&>label]:font-normal [&>label]:text-ink-2";

/** A small select with its label. */
export function LabeledSelect({
  label,
  inline = false,
  value,
  onChange,
  children,
}: {
  label: string;
  /** Places the label before the select rather than above it. */
  inline?: boolean;
  value: string | number;
  onChange: (value: string) => void;
  children: ReactNode;
}) {
  return (
    <SelectField
      {...{ label, value, children }}
      className={joinClasses(
        "min-w-0",
        SMALL_FIELD,
        inline && "flex-row! items-center justify-between gap-3!",
      )}
      inputClass={joinClasses("h-9 px-2 text-[0.8125rem]", inline && "w-24! shrink-0")}
      onValue={onChange}
    />
  );
}

/** One of a few values, by what each is called. */
export function Choice<Value extends string | number>({
  options,
  named = (option) => `${option}`,
  onChange,
  ...select
}: {
  label: string;
  inline?: boolean;
  value: Value;
  options: readonly Value[];
  named?: (option: Value) => string;
  onChange: (value: Value) => void;
}) {
  return (
    <LabeledSelect
      {...select}
      onChange={(chosen) => onChange(options.find((option) => `${option}` === chosen)!)}
    >
      {options.map((option) => (
        <option key={option} value={option}>
          {named(option)}
        </option>
      ))}
    </LabeledSelect>
  );
}
