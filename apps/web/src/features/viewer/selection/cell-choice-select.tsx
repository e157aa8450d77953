import { SmallSelect } from "./small-select.tsx";
import { selectionTexts } from "./texts.ts";
import type { CellChoiceSection } from "./cell-choices.ts";
import { Options } from "../../../components/field.tsx";

/** A select for choosing a set of cells. */
export function CellChoiceSelect({
  label,
  sections,
  value,
  onChange,
  first = selectionTexts.groups.choose,
}: {
  label: string;
  sections: readonly CellChoiceSection[];
  value: string;
  onChange: (key: string) => void;
  /** Name of the option above the sections, whose key is "". */
  first?: string;
}) {
  const { withCount } = selectionTexts.choices;
  const known = sections.some(({ choices }) => choices.some(({ key }) => key === value));
  return (
    <SmallSelect label={label} value={known ? value : ""} onChange={onChange}>
      <option value="">{first}</option>
      {sections.map((section) => (
        <optgroup key={section.label} label={section.label}>
          <Options
            of={section.choices.map(({ key, name, count }) => [key, withCount(name, count)])}
          />
        </optgroup>
      ))}
    </SmallSelect>
  );
}
