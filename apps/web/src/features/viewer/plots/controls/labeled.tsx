import { useId, type ReactNode } from "react";
import { Select } from "../../../../components/field.tsx";
import { joinClasses } from "../../../../components/join-classes.ts";

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
  const id = useId();
  return (
    <div className={joinClasses("min-w-0", inline && "flex items-center justify-between gap-3")}>
      <label
        htmlFor={id}
        className={joinClasses("text-[0.8125rem] text-ink-2", !inline && "mb-1 block")}
      >
        {label}
      </label>
      <div className={inline ? "w-24 shrink-0" : undefined}>
        <Select
          id={id}
          className={"h-9 px-2 text-[0.8125rem]"}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {children}
        </Select>
      </div>
    </div>
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

export function LabeledCheckbox({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="flex min-h-6 cursor-pointer items-center gap-2 text-[0.8125rem]">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-primary"
      />
      {label}
    </label>
  );
}
