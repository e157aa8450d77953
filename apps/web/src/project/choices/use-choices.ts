import { workflowChoices, type RunChoices } from "@stipple/contract/routes/workflow";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../app/api.ts";
import { countValues, type ChoiceSchema, type Choices } from "./choice-schema.ts";

/** A group of values that belong together: the settings, or the parameters of one step. */
export interface ChoiceGroup {
  id: string;
  /** Null for the settings, which belong to no step. */
  step: { number: number; name: string } | null;
  schema: ChoiceSchema;
}

export interface RunChoosing {
  groups: ChoiceGroup[] | undefined;
  failed: boolean;
  again(): void;
  /** A group's choices: the project's, until something is changed here. */
  of(group: ChoiceGroup): Choices;
  set(group: ChoiceGroup, choices: Choices): void;
  reset(): void;
  /** What a start must send; undefined if nothing was changed, so that the project keeps its choices. */
  changed: RunChoices | undefined;
  /** Values that differ from their defaults. */
  count: number;
}

/** Settings and parameters of a project's next run. Loaded when `open` is first true. */
export function useChoices(projectId: string, open: boolean): RunChoosing {
  const [changed, setChanged] = useState<RunChoices>();
  const query = useQuery({
    queryKey: ["workflow-choices", projectId],
    queryFn: ({ signal }) => api(workflowChoices, { query: { project_id: projectId }, signal }),
    enabled: open,
  });
  const current: RunChoices = changed ?? query.data?.chosen ?? { settings: {}, parameters: {} };
  const groups = query.data && [
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
    of: ({ id, step }) => (step ? current.parameters[id] : current.settings) ?? {},
    set({ id, step }, choices) {
      if (!step) return setChanged({ ...current, settings: choices });
      const { [id]: _former, ...others } = current.parameters;
      const parameters = Object.keys(choices).length > 0 ? { ...others, [id]: choices } : others;
      setChanged({ ...current, parameters });
    },
    reset: () => setChanged({ settings: {}, parameters: {} }),
    changed,
    count: [current.settings, ...Object.values(current.parameters)].reduce(
      (sum, choices) => sum + countValues(choices),
      0,
    ),
  };
}
