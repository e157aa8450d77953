import { CLUSTER_FEATURES, CLUSTER_RESOLUTION } from "@stipple/contract/routes/exploring";
import { useStore } from "zustand";
import { Button } from "../../../components/button.tsx";
import { TextField } from "../../../components/field.tsx";
import { HelpLink } from "../../../components/help-link.tsx";
import { ProgressBar } from "../../../components/progress-bar.tsx";
import { Segmented } from "../../../components/segmented.tsx";
import { SmallSelect } from "../selection/small-select.tsx";
import { CellChoiceSelect } from "../selection/cell-choice-select.tsx";
import { choiceOf, useCellChoices } from "../selection/cell-choices.ts";
import { useGeneLists } from "../gene-sets/use-gene-lists.ts";
import { shownClustering } from "../state/clusterings.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { cluster, runOf } from "./clustering-run.ts";
import { clusterTexts as texts } from "./texts.ts";
import { PanelProblem } from "../selection/panel/section.tsx";

const { least, most } = CLUSTER_RESOLUTION;

/** What to cluster, and by what. */
export function ClusterForm() {
  const viewer = useViewer();
  const run = runOf(viewer.store);
  const { cells: key, features, resolution, list, running } = useStore(run);
  const sections = useCellChoices();
  const clustering = useViewerState(shownClustering);
  const lists = useGeneLists();
  const choice = choiceOf(sections, key);
  const index = /^own:(\d+)$/.exec(key)?.[1];
  const divides =
    choice && clustering && index !== undefined ? { clustering, index: Number(index) } : null;
  const value = Number(resolution);
  const isValid = isResolution(resolution);
  const genes = features === "looks" ? undefined : lists.find(({ id }) => id === list);

  function start(): void {
    const within = choice ? { name: choice.name, cells: choice.cells() } : null;
    const order = { within, features, resolution: value, divides };
    void cluster(viewer, {
      ...order,
      genes: genes ? { name: genes.name, genes: genes.known } : null,
    });
  }

  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid && !running) start();
      }}
    >
      <p className="text-[0.8125rem] text-ink-2">
        {texts.intro} <HelpLink page="clusters-and-genes" />
      </p>
      <CellChoiceSelect
        label={texts.cells}
        sections={sections}
        value={key}
        onChange={(cells) => run.setState({ cells })}
        first={texts.all}
      />
      {divides && choice && (
        <p className="text-[0.8125rem] text-ink-2">{texts.divides(choice.name)}</p>
      )}
      <FeatureChoice />
      <div className="flex items-center gap-2">
        <Button type="submit" variant="primary" busy={running !== null} disabled={!isValid}>
          {texts.run}
        </Button>
        {running && <Button onClick={running.stop}>{texts.cancel}</Button>}
      </div>
      <RunStatus />
    </form>
  );
}

function isResolution(text: string): boolean {
  return text.trim() !== "" && Number(text) >= least && Number(text) <= most;
}

/** By what the cells are clustered, and how finely. */
function FeatureChoice() {
  const run = runOf(useViewer().store);
  const { features, resolution, list } = useStore(run);
  const lists = useGeneLists();
  const isValid = isResolution(resolution);
  return (
    <>
      <Segmented
        label={texts.by}
        names={texts.features}
        choices={CLUSTER_FEATURES}
        value={features}
        onChange={(next) => run.setState({ features: next })}
      />
      <p className="-mt-1 text-xs text-ink-3">{texts.hints[features]}</p>
      <div className="grid grid-cols-2 gap-2">
        <TextField
          label={texts.resolution}
          className="min-w-0 text-[0.8125rem]"
          {...(isValid
            ? { hint: texts.resolutionHint }
            : { error: texts.badResolution(least, most) })}
          inputMode="decimal"
          inputClass="h-9!"
          value={resolution}
          onText={(text) => run.setState({ resolution: text })}
        />
        {features !== "looks" && lists.length > 0 && (
          <SmallSelect
            label={texts.genes}
            value={lists.some(({ id }) => id === list) ? list : ""}
            choices={lists.map(({ id, name }) => ({ key: id, name }))}
            onChange={(key) => run.setState({ list: key })}
          >
            <option value="">{texts.variableGenes}</option>
          </SmallSelect>
        )}
      </div>
    </>
  );
}

/** How far the run is, and what it gave. */
function RunStatus() {
  const { running, failed, told } = useStore(runOf(useViewer().store));
  return (
    <>
      {running && (
        <ProgressBar
          value={running.done === null ? null : 100 * running.done}
          label={texts.progress}
          active
          {...(running.done === null && { valueText: texts.waiting })}
        />
      )}
      <PanelProblem text={failed} />
      <p role="status" className="text-[0.8125rem] text-ink-2 empty:hidden">
        {told}
      </p>
    </>
  );
}
