import { SmallSelect } from "./small-select.tsx";
import { selectionTexts } from "./texts.ts";
import type { CellChoiceSection } from "./cell-choices.ts";

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
          {section.choices.map(({ key, name, count }) => (
            <option key={key} value={key}>
              {withCount(name, count)}
            </option>
          ))}
        </optgroup>
      ))}
    </SmallSelect>
  );
}
