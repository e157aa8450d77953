import { PanelSection } from "../../selection/panel/section.tsx";
import { selectCells } from "../../selection/selection-actions.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { annotationsOf, changeAnnotations } from "../annotation-store.ts";
import { annotationTexts as texts } from "../texts.ts";
import { useAnnotations } from "../use-annotations.ts";
import { UndoButtons } from "../undo-buttons.tsx";
import { HistorySection } from "./history-section.tsx";
import { NotesSection } from "./notes-section.tsx";
import { ItemRow } from "./item-row.tsx";
import { ResultsSection } from "./results-section.tsx";
import { SavingStatus } from "./saving-status.tsx";
import { VersionsSection } from "./versions-section.tsx";

/** What belongs to the project: what is saved, notes, assigned types, versions, and history. */
export function AnnotationsPanel() {
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const items = useAnnotations((state) => state.items);
  const cells = useAnnotations((state) => state.cells);
  const earlier = [...annotationsOf(items, "group"), ...annotationsOf(items, "clusters")].filter(
    ({ value }) => cells !== null && value.cellsKey !== cells,
  ).length;
  return (
    <div className="flex flex-col gap-5">
      <p className="text-[0.8125rem] text-ink-2">
        {texts.intro} {!mayEdit && texts.readOnly}
      </p>
      <SavingStatus />
      {mayEdit && (
        <div className="flex gap-1.5">
          <UndoButtons />
        </div>
      )}
      {earlier > 0 && <p className="text-[0.8125rem] text-warn">{texts.earlier(earlier)}</p>}
      <NotesSection />
      <AssignedSection />
      <ResultsSection />
      {mayEdit && <VersionsSection />}
      {mayEdit && <HistorySection />}
    </div>
  );
}

/** The cells whose type was set by a person. */
function AssignedSection() {
  const { annotations, store } = useViewer();
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const assigned = useViewerState((state) => state.assigned);
  return (
    <PanelSection title={texts.assigned.title}>
      {assigned.length === 0 && (
        <p className="text-[0.8125rem] text-ink-3">{texts.assigned.empty}</p>
      )}
      <ul className="-mx-2">
        {assigned.map(({ annotation: id, type, cells }) => (
          <ItemRow
            key={id}
            text={texts.assigned.row(type, cells.count)}
            title={texts.assigned.select(type)}
            onShow={() => selectCells(store, cells)}
            remove={
              mayEdit && {
                label: texts.assigned.remove(type),
                act: () => changeAnnotations(annotations, [{ id, kind: "group", value: null }]),
              }
            }
          />
        ))}
      </ul>
    </PanelSection>
  );
}
