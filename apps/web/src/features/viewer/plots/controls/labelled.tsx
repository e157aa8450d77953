import { useId, type ReactNode } from "react";
import { Select } from "../../../../components/field.tsx";

/** A small choice with its name before it. */
export function LabelledSelect({
  label,
  value,
  onChange,
  children,
}: {
  label: string;
  value: string | number;
  onChange: (value: string) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-[0.8125rem] text-ink-2">
        {label}
      </label>
      <Select
        id={id}
        className="h-9 min-w-0 text-[0.8125rem]"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {children}
      </Select>
    </div>
  );
}

export function LabelledCheckbox({
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
