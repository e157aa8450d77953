import { PLATFORMS, RESOLUTIONS } from "@stipple/contract/platforms/index";
import { workflowChoices } from "@stipple/contract/routes/workflow";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../app/api.ts";
import type { ChoiceSchema } from "../../../project/choices/choice-schema.ts";
import { choiceTexts } from "../../../project/choices/texts.ts";
import { SETUP_CHOICES } from "../../../project/texts.ts";
import type { SettingKey } from "./intake.ts";

export interface Option {
  value: string;
  label: string;
}

/** What each setting can be. Species and tissues are the server's. */
export function useSettingOptions(): (key: SettingKey, current?: string | null) => Option[] {
  const { data } = useQuery({
    queryKey: ["workflow-choices"],
    queryFn: ({ signal }) => api(workflowChoices, { query: {}, signal }),
  });
  const schema = data?.settings as ChoiceSchema | undefined;
  return (key, current = "") => {
    const options = optionsOf(key, schema);
    // A sheet may say what the pages don't offer; the server judges it.
    return current === null || current === "" || options.some(({ value }) => value === current)
      ? options
      : [...options, { value: current, label: current }];
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

/** Whether a setting has to be chosen. */
export function isNeeded(key: SettingKey): boolean {
  return key !== "species" && key !== "tissue";
}
