import { cleanOptions, type ChosenOptions } from "@stipple/contract/analysis-options";
import { createStudy, type Study } from "@stipple/contract/routes/studies";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { api } from "../../../app/api.ts";
import { STUDIES_KEY, studyKey } from "../use-studies.ts";
import { continuedBy } from "./check-row.ts";
import { settingOf, type SettingKey, type Shared } from "./intake.ts";
import { designValue, type JudgedRow } from "./samples-table.tsx";
import { sendSamples, type NewSample } from "./send-samples.ts";

/** Creates the study, if it is new, and the samples' projects in it, then shows the study while they are uploaded. */
export function useAdding(study: Study | undefined) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: async ({ name, samples }: { name: string; samples: readonly NewSample[] }) => {
      const body = { name, project_ids: [] };
      const id = study?.id ?? (await api(createStudy, { body })).id;
      await sendSamples(id, samples);
      return id;
    },
    onSuccess: (id) => {
      for (const queryKey of [STUDIES_KEY, studyKey(id), ["projects"]]) {
        void client.invalidateQueries({ queryKey });
      }
      navigate(`/studies/${id}`);
    },
  });
}

/** A checked row as it is created and uploaded. */
export function newSample(
  { row, checked }: JudgedRow,
  {
    study,
    shared,
    columns,
  }: { study: Study | undefined; shared: Shared; columns: readonly string[] },
): NewSample {
  const value = (key: SettingKey): string => settingOf(row, shared, key);
  const { platform: _, resolution: __, staining: ___, analysisType: ____, ...others } = row.own;
  const settings = { ...others, species: value("species"), tissue: value("tissue") };
  const cell = (column: string): string => designValue(row, column).trim();
  return {
    name: row.name.trim(),
    projectId: continuedBy(row.name, study)?.project_id ?? null,
    options: cleanOptions({
      platform: value("platform"),
      staining: value("staining"),
      analysis_type: value("analysisType"),
      resolution: value("resolution"),
    } as ChosenOptions),
    settings: Object.fromEntries(
      Object.entries(settings)
        .filter(([, given]) => given !== "")
        .map(([key, given]) => [key, key === "seed" ? Number(given) : given]),
    ),
    design: {
      ...{ condition: cell("condition"), patient: cell("patient"), batch: cell("batch") },
      more: Object.fromEntries(columns.map((column) => [column, cell(column)])),
    },
    files: checked?.found ?? [],
  };
}
