import { ChoiceControl } from "../choices/choice-control.tsx";
import { choicesOf, type Choices, type ChoiceSchema } from "../choices/choice-schema.ts";

/** Settings about the tissue and how cells are found; the others are on the Processing page. */
const OFFERED = ["species", "tissue", "segmentation"];

/** Controls for species, tissue and segmentation, and for the reference's labels where there is one. */
export function SettingControls({
  schema,
  settings,
  onChange,
  hasReference,
  hasCells,
}: {
  schema: ChoiceSchema;
  settings: Choices;
  onChange: (settings: Choices) => void;
  hasReference: boolean;
  /** Whether Space Ranger's own cells are available. */
  hasCells: boolean;
}) {
  const names = hasReference ? [...OFFERED, "referenceLabels"] : OFFERED;
  return (
    <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
      {choicesOf(schema)
        .filter(({ path }) => names.includes(path[0] ?? ""))
        .map(({ path, schema: one }) => {
          const name = path[0]!;
          const isPossible = (value: unknown): boolean => hasCells || value !== "space_ranger";
          return (
            <ChoiceControl
              key={name}
              choice={{
                path,
                schema: one.enum ? { ...one, enum: one.enum.filter(isPossible) } : one,
              }}
              value={settings[name]}
              onChange={(value) => {
                const { [name]: _former, ...others } = settings;
                onChange(value === undefined ? others : { ...others, [name]: value });
              }}
            />
          );
        })}
    </div>
  );
}
