import { SelectField } from "../../components/field.tsx";
import { ANSWER_TEXTS as TEXTS } from "./texts.ts";
import type { Asked } from "./use-comparison.ts";

/** Which conditions are compared, in which cells, and by what model. */
export function AnswerControls({
  conditions,
  regions,
  asked,
  onAsk,
}: {
  conditions: readonly string[];
  regions: readonly string[];
  asked: Asked;
  onAsk: (change: Partial<Asked>) => void;
}) {
  const choices = [
    ["baseline", TEXTS.baseline, conditions],
    ["other", TEXTS.other, conditions.filter((one) => one !== asked.baseline)],
  ] as const;
  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
      {choices.map(([key, label, values]) => (
        <SelectField
          key={key}
          label={label}
          className="w-full sm:w-52"
          value={asked[key]}
          onValue={(value) => onAsk({ [key]: value })}
        >
          {values.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
      ))}
      {regions.length > 0 && (
        <SelectField
          label={TEXTS.cells}
          className="w-full sm:w-52"
          value={asked.region}
          onValue={(region) => onAsk({ region })}
        >
          <option value="">{TEXTS.allCells}</option>
          {regions.map((one) => (
            <option key={one} value={one}>
              {TEXTS.inRegion(one)}
            </option>
          ))}
        </SelectField>
      )}
      <div>
        {(["patients", "batches"] as const).map((key) => (
          <label key={key} className="flex min-h-8 cursor-pointer items-center gap-2">
            <input
              type="checkbox"
              checked={asked[key] === "yes"}
              onChange={({ target }) => onAsk({ [key]: target.checked ? "yes" : "no" })}
              className="size-4 accent-primary"
            />
            {TEXTS[key]}
          </label>
        ))}
      </div>
    </div>
  );
}
