import type { ReactNode } from "react";
import { Options, SelectField } from "../../../components/field.tsx";

/** A select of a panel, with its label; `children` are options before the choices. */
export function SmallSelect({
  label,
  value,
  choices = [],
  onChange,
  children,
}: {
  label: string;
  value: string;
  choices?: readonly { key: string; name: string }[];
  onChange: (key: string) => void;
  children?: ReactNode;
}) {
  return (
    <SelectField
      label={label}
      className="min-w-0 text-[0.8125rem]"
      inputClass="h-9!"
      value={value}
      onValue={onChange}
    >
      {children}
      <Options of={choices.map(({ key, name }) => [key, name])} />
    </SelectField>
  );
}
