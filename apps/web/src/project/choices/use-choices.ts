import { workflowChoices, type RunChoices } from "@stipple/contract/routes/workflow";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../app/api.ts";
import { countValues, withValue, type ChoiceSchema, type Choices } from "./choice-schema.ts";

/** A group of values that belong together: the settings, or the parameters of one step. */
export interface ChoiceGroup {
  id: string;
  /** Null for the settings, which belong to no step. */
  step: { number: number; name: string } | null;
  schema: ChoiceSchema;
}

export type RunChoosing = ReturnType<typeof useChoices>;

/** Settings and parameters of a project's next run. Loaded when `open` is first true. */
export function useChoices(projectId: string, open: boolean) {
  const [changed, setChanged] = useState<RunChoices>();
  const query = useQuery({
    queryKey: ["workflow-choices", projectId],
    queryFn: ({ signal }) => api(workflowChoices, { query: { project_id: projectId }, signal }),
    enabled: open,
  });
  const current: RunChoices = changed ?? query.data?.chosen ?? { settings: {}, parameters: {} };
  const groups: ChoiceGroup[] | undefined = query.data && [
    { id: "settings", step: null, schema: query.data.settings as ChoiceSchema },
    ...query.data.steps.map(({ id, number, name, parameters }) => ({
      id,
      step: { number, name },
      schema: parameters as ChoiceSchema,
    })),
  ];
  return {
    groups,
    failed: query.isError,
    again: () => void query.refetch(),
    /** A group's choices: the project's, until something is changed here. */
    of: ({ id, step }: ChoiceGroup): Choices =>
      (step ? current.parameters[id] : current.settings) ?? {},
    set({ id, step }: ChoiceGroup, choices: Choices): void {
      if (!step) return setChanged({ ...current, settings: choices });
      setChanged({ ...current, parameters: withValue(current.parameters, [id], choices) });
    },
    reset: () => setChanged({ settings: {}, parameters: {} }),
    /** What a start must send; undefined if nothing was changed, so that the project keeps its choices. */
    changed,
    /** Values that differ from their defaults. */
    count: [current.settings, ...Object.values(current.parameters)].reduce(
      (sum, choices) => sum + countValues(choices),
      0,
    ),
  };
}
