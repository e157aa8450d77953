import { Pencil, Trash2 } from "lucide-react";
import { CoveringInput } from "../../../components/covering-input.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { joinClasses } from "../../../components/join-classes.ts";
import { useRemoved } from "../selection/panel/use-removed.tsx";
import { NameColorForm } from "../facets/name-color-form.tsx";
import { useEditing } from "../facets/use-editing.ts";
import { PanelSection } from "../selection/panel/section.tsx";
import { shownClustering, type Clustering } from "../state/clusterings.ts";
import { uniqueName } from "../state/free-names.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import {
  addClustering,
  changeClustering,
  removeClustering,
  showClustering,
} from "./edit-clusterings.ts";
import { clusterTexts as texts } from "./texts.ts";

/** The clusterings that people made: one of them is shown. */
export function ClusteringList() {
  const { store } = useViewer();
  const clusterings = useViewerState((state) => state.clusterings);
  const shown = useViewerState(shownClustering);
  const isColoring = useViewerState((state) => state.colorBy === "own");
  const { note, tellRemoved } = useRemoved();
  return (
    <PanelSection title={texts.list}>
      {clusterings.length === 0 && !note && (
        <p className="text-[0.8125rem] text-ink-3">{texts.empty}</p>
      )}
      <ul className="-mx-2 empty:hidden">
        {clusterings.map((clustering) => (
          <ClusteringRow
            key={clustering.id}
            clustering={clustering}
            isShown={isColoring && clustering === shown}
            onRemove={() => {
              removeClustering(store, clustering.id);
              tellRemoved({
                text: texts.removed(clustering.name),
                restore: () => addClustering(store, clustering),
              });
            }}
          />
        ))}
      </ul>
      {note}
    </PanelSection>
  );
}

function ClusteringRow({
  clustering,
  isShown,
  onRemove,
}: {
  clustering: Clustering;
  isShown: boolean;
  onRemove: () => void;
}) {
  const { store } = useViewer();
  const { isEditing, pencil, edit, stop } = useEditing();
  const { id, name, groups } = clustering;
  const rename = (next: string): void => {
    const others = store.getState().clusterings.filter((other) => other.id !== id);
    const taken = new Set(others.map((other) => other.name));
    if (next.trim())
      changeClustering(store, { ...clustering, name: uniqueName(next.trim(), taken) });
  };
  if (isEditing) {
    return (
      <li>
        <NameColorForm
          name={name}
          nameLabel={texts.newName(name)}
          maxLength={80}
          onName={rename}
          onDone={stop}
        />
      </li>
    );
  }
  return (
    <li
      className={joinClasses(
        "flex items-center gap-0.5 rounded-control pr-1",
        isShown ? "bg-primary-tint" : "hover:bg-raised",
      )}
    >
      <label className="relative flex min-w-0 flex-1 cursor-pointer items-center gap-2 rounded-control py-1.5 pl-2 has-focus-visible:outline-2 has-focus-visible:outline-primary">
        <CoveringInput
          type="radio"
          name="clustering"
          aria-label={texts.show(name)}
          checked={isShown}
          onChange={() => showClustering(store, id)}
        />
        <span className="min-w-0 flex-1 truncate" title={name}>
          {name}
        </span>
        <span className="shrink-0 pr-1 text-[0.8125rem] text-ink-2">
          {texts.groups(groups.length)}
        </span>
      </label>
      <IconButton size="sm" ref={pencil} icon={Pencil} label={texts.rename(name)} onClick={edit} />
      <IconButton size="sm" icon={Trash2} label={texts.remove(name)} onClick={onRemove} />
    </li>
  );
}
