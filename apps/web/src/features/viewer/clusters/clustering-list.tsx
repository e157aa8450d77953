import { Pencil, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { CoveringInput } from "../../../components/covering-input.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { joinClasses } from "../../../components/join-classes.ts";
import { PanelSection } from "../selection/panel/section.tsx";
import { shownClustering, type Clustering } from "../state/clusterings.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import {
  addClustering,
  changeClustering,
  removeClustering,
  showClustering,
  unlike,
} from "./edit-clusterings.ts";
import { clusterTexts as texts } from "./texts.ts";

/** The clusterings that people made: one of them is shown. */
export function ClusteringList() {
  const { store } = useViewer();
  const clusterings = useViewerState((state) => state.clusterings);
  const shown = useViewerState(shownClustering);
  const isColoring = useViewerState((state) => state.colorBy === "own");
  const [removed, setRemoved] = useState<Clustering | null>(null);
  const undo = useRef<HTMLButtonElement>(null);
  return (
    <PanelSection title={texts.list}>
      {clusterings.length === 0 && !removed && (
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
              setRemoved(clustering);
              requestAnimationFrame(() => undo.current?.focus());
            }}
          />
        ))}
      </ul>
      {removed && (
        <p role="status" className="flex items-center gap-2 text-[0.8125rem] text-ink-2">
          <span className="min-w-0 truncate">{texts.removed(removed.name)}</span>
          <button
            ref={undo}
            type="button"
            onClick={() => {
              addClustering(store, removed);
              setRemoved(null);
            }}
            className="shrink-0 rounded font-medium text-primary hover:underline"
          >
            {texts.undo}
          </button>
        </p>
      )}
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
  const [isNaming, setIsNaming] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const { id, name, groups } = clustering;
  if (isNaming) {
    return (
      <li>
        <NameForm
          clustering={clustering}
          onDone={() => {
            setIsNaming(false);
            requestAnimationFrame(() => pencil.current?.focus());
          }}
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
      <IconButton
        size="sm"
        ref={pencil}
        icon={Pencil}
        label={texts.rename(name)}
        onClick={() => setIsNaming(true)}
      />
      <IconButton size="sm" icon={Trash2} label={texts.remove(name)} onClick={onRemove} />
    </li>
  );
}

function NameForm({ clustering, onDone }: { clustering: Clustering; onDone: () => void }) {
  const { store } = useViewer();
  const [name, setName] = useState(clustering.name);
  const rename = (): void => {
    const others = store.getState().clusterings.filter(({ id }) => id !== clustering.id);
    const taken = new Set(others.map((other) => other.name));
    if (name.trim()) changeClustering(store, { ...clustering, name: unlike(name.trim(), taken) });
    onDone();
  };
  return (
    <form
      className="flex items-center gap-2 rounded-control bg-raised p-2"
      onKeyDown={({ key }) => {
        if (key === "Escape") onDone();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        rename();
      }}
    >
      <input
        autoFocus
        aria-label={texts.newName(clustering.name)}
        value={name}
        maxLength={80}
        onChange={({ target }) => setName(target.value)}
        className="h-8 min-w-0 flex-1 rounded-control border border-line-input bg-card px-2 text-ink"
      />
      <button
        type="submit"
        className="h-8 rounded-control px-2 text-[0.8125rem] font-medium text-primary hover:bg-card"
      >
        {texts.done}
      </button>
    </form>
  );
}
