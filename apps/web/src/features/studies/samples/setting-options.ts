import { PLATFORMS, RESOLUTIONS } from "@stipple/contract/platforms/index";
import { workflowChoices } from "@stipple/contract/routes/workflow";
import type { SheetSetting } from "@stipple/contract/sample-sheet";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../app/api.ts";
import type { ChoiceSchema } from "../../../project/choices/choice-schema.ts";
import { choiceTexts } from "../../../project/choices/texts.ts";
import { SETUP_CHOICES } from "../../../project/texts.ts";
import { SETTING_KEYS, type SettingKey } from "./intake.ts";
import { FAULTS, SAMPLES_TEXTS } from "./texts.ts";

export interface Option {
  value: string;
  label: string;
  /** Of a sheet: there is no such option. */
  isUnknown?: true;
}

/** What the server says that settings can be, once it has. */
export function useSettingSchema(): ChoiceSchema | undefined {
  const { data } = useQuery({
    queryKey: ["workflow-choices"],
    queryFn: ({ signal }) => api(workflowChoices, { query: {}, signal }),
  });
  return data?.settings as ChoiceSchema | undefined;
}

/** What each setting can be. Species and tissues are the server's. */
export function useSettingOptions(): (key: SettingKey, current?: string | null) => Option[] {
  const schema = useSettingSchema();
  return (key, current = "") => {
    const options = optionsOf(key, schema);
    // A sheet may name an option that does not exist: it is shown as given, with the fault.
    return current === null || current === "" || options.some(({ value }) => value === current)
      ? options
      : [...options, { value: current, label: current, isUnknown: true }];
  };
}

function optionsOf(key: SettingKey, schema: ChoiceSchema | undefined): Option[] {
  switch (key) {
    case "platform":
      return PLATFORMS.map(({ id, label }) => ({ value: id, label }));
    case "resolution":
      return RESOLUTIONS.map((size) => ({ value: size, label: `${size} µm` }));
    case "staining":
    case "analysisType":
      return SETUP_CHOICES[key].map(({ value, label }) => ({ value, label }));
    default:
      return (schema?.properties?.[key]?.enum ?? []).map((value) => ({
        value: String(value),
        label: choiceTexts.option(value),
      }));
  }
}

/** Why a setting cannot have this value: a sentence; null if it can, or if the server has not said yet. */
export function valueFault(
  key: SheetSetting,
  value: string,
  schema: ChoiceSchema | undefined,
): string | null {
  const property = schema?.properties?.[key];
  if (property?.type === "integer") {
    return /^\d{1,15}$/.test(value) ? null : FAULTS.noNumber(key, value);
  }
  const offered = SETTING_KEYS.find((one) => one === key);
  const values = offered
    ? optionsOf(offered, schema).map((option) => option.value)
    : (property?.enum ?? []).map(String);
  if (values.length === 0 || values.includes(value)) return null;
  return offered
    ? FAULTS.unknown(SAMPLES_TEXTS.settings[offered].toLowerCase(), value)
    : FAULTS.unknownInSheet(key, value, values.join(" or "));
}

/** Whether a setting has to be chosen. */
export function isNeeded(key: SettingKey): boolean {
  return key !== "species" && key !== "tissue";
}
