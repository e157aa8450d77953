import { Card } from "../../../components/card.tsx";
import { SelectField } from "../../../components/field.tsx";
import { SETTING_KEYS, type SettingKey, type Shared } from "./intake.ts";
import { isNeeded, type Option } from "./setting-options.ts";
import { SAMPLES_TEXTS as TEXTS } from "./texts.ts";

/** No setting is called so. */
const BY_SAMPLE = "\u0000";

/** Settings of all samples, each of which can be set by sample instead. */
export function SharedSettings({
  shared,
  hasBins,
  optionsOf,
  onChange,
}: {
  shared: Shared;
  /** Whether a sample's platform has bins to choose. */
  hasBins: boolean;
  optionsOf: (key: SettingKey, current: string | null) => Option[];
  onChange: (shared: Shared) => void;
}) {
  return (
    <Card title={TEXTS.sharedTitle} description={TEXTS.sharedText}>
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
        {SETTING_KEYS.filter((key) => key !== "resolution" || hasBins).map((key) => (
          <SelectField
            key={key}
            label={TEXTS.settings[key]}
            value={shared[key] ?? BY_SAMPLE}
            onValue={(value) => onChange({ ...shared, [key]: value === BY_SAMPLE ? null : value })}
          >
            <option value="">{isNeeded(key) ? TEXTS.choose : TEXTS.automatic}</option>
            {optionsOf(key, shared[key]).map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
            <option value={BY_SAMPLE}>{TEXTS.bySample}</option>
          </SelectField>
        ))}
      </div>
    </Card>
  );
}
