import { Field, Select } from "../../../components/field.tsx";
import { selectionTexts } from "./texts.ts";
import type { CellChoiceSection } from "./cell-choices.ts";

/** A select for choosing a set of cells. */
export function CellChoiceSelect({
  label,
  sections,
  value,
  onChange,
  first = { key: "", name: selectionTexts.groups.choose },
}: {
  label: string;
  sections: readonly CellChoiceSection[];
  value: string;
  onChange: (key: string) => void;
  /** Option above the sections. */
  first?: { key: string; name: string };
}) {
  const { withCount } = selectionTexts.choices;
  const known = sections.some(({ choices }) => choices.some(({ key }) => key === value));
  return (
    <Field label={label} className="min-w-0 text-[0.8125rem]">
      {(control) => (
        <Select
          {...control}
          value={known ? value : first.key}
          onChange={(event) => onChange(event.target.value)}
          className="h-9!"
        >
          <option value={first.key}>{first.name}</option>
          {sections.map((section) => (
            <optgroup key={section.label} label={section.label}>
              {section.choices.map(({ key, name, count }) => (
                <option key={key} value={key}>
                  {withCount(name, count)}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      )}
    </Field>
  );
}
