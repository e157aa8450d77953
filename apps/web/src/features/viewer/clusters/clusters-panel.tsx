import { AgreementSection } from "./agreement-section.tsx";
import { ClusterForm } from "./cluster-form.tsx";
import { ClusteringList } from "./clustering-list.tsx";
import { GitFork } from "lucide-react";
import { useState } from "react";
import { Checkbox } from "../../../components/checkbox.tsx";
import { Button } from "../../../components/button.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { Swatch } from "../../../components/swatch.tsx";
import { PanelSection } from "../selection/panel/section.tsx";
import { shownClustering, sizesOf, type Clustering } from "../state/clusterings.ts";
import { toggled } from "../state/toggled.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { changeClustering, merged } from "./edit-clusterings.ts";
import { runOf } from "./clustering-run.ts";
import { clusterTexts as texts } from "./texts.ts";

/** Clusters of one's own: made, named, merged, divided, and compared. */
export function ClustersPanel() {
  return (
    <div className="flex flex-col gap-4">
      <ClusterForm />
      <ClusteringList />
      <GroupsSection />
      <AgreementSection />
    </div>
  );
}

/** The groups of the shown clustering: merged, clustered again, and their markers. Names and colors: in the list on the left. */
function GroupsSection() {
  const clustering = useViewerState(shownClustering);
  if (!clustering) return null;
  return <Groups key={clustering.groups.length} clustering={clustering} />;
}

function Groups({ clustering }: { clustering: Clustering }) {
  const { store } = useViewer();
  const [marked, setMarked] = useState<readonly number[]>([]);
  const sizes = sizesOf(clustering);
  return (
    <PanelSection
      title={texts.groupsOf}
      aside={
        <Button
          size="sm"
          disabled={marked.length < 2}
          onClick={() => changeClustering(store, merged(clustering, marked))}
        >
          {texts.merge(marked.length)}
        </Button>
      }
    >
      <ul className="-mx-2 max-h-72 overflow-y-auto">
        {clustering.groups.map(({ name, color }, index) => (
          <li key={index} className="flex items-center gap-1 rounded-control pr-1 hover:bg-raised">
            <Checkbox
              className="min-w-0 flex-1 gap-2.5 py-1 pl-2"
              aria-label={texts.mark(name)}
              checked={marked.includes(index)}
              onCheck={() => setMarked(toggled(marked, index))}
            >
              <Swatch color={color} className="size-3.5 shrink-0 rounded-[4px]" />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <span className="shrink-0 text-[0.8125rem] text-ink-2">
                {sizes[index]!.toLocaleString("en-US")}
              </span>
            </Checkbox>
            <IconButton
              size="sm"
              icon={GitFork}
              label={texts.recluster(name)}
              onClick={() => runOf(store).setState({ cells: `own:${index}` })}
            />
          </li>
        ))}
      </ul>
      <Button size="sm" onClick={() => store.setState({ panel: "markers", colorBy: "own" })}>
        {texts.markers}
      </Button>
    </PanelSection>
  );
}
