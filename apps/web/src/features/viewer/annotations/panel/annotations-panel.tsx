import { PanelSection } from "../../selection/panel/section.tsx";
import { selectCells } from "../../selection/selection-actions.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import { annotationsOf } from "../annotation-store.ts";
import { annotationTexts as texts, annotationTexts } from "../texts.ts";
import { useAnnotations } from "../use-annotations.ts";
import { UndoButtons } from "../undo-buttons.tsx";
import { NotesSection } from "./notes-section.tsx";
import { ItemRow } from "./item-row.tsx";
import { VersionsSection } from "./versions-section.tsx";
import { annotationHistory } from "@stipple/contract/routes/annotations";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../../app/api.ts";
import { joinClasses } from "../../../../components/join-classes.ts";
import { momentText } from "../../../../app/long-date.ts";
import { isFiledKind } from "@stipple/contract/annotation-limits";
import { Download } from "lucide-react";
import { loadCode } from "../../../../app/load-code.ts";
import { Button } from "../../../../components/button.tsx";
import { HelpLink } from "../../../../components/help-link.tsx";
import { NextRunButton } from "./next-run-button.tsx";
import { SavingStatus } from "../saving-status.tsx";
import { fileName, saveFile } from "../../../../components/save-drawing.ts";

const nextRunTexts = annotationTexts.nextRun;
const historyTexts = annotationTexts.history;

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
  const { store } = useViewer();
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const assigned = useViewerState((state) => state.assigned);
  return (
    <PanelSection title={texts.assigned.title}>
      {assigned.length === 0 && (
        <p className="text-[0.8125rem] text-ink-3">{texts.assigned.empty}</p>
      )}
      <ul className="-mx-2">
        {assigned.map(({ id, type, cells }) => (
          <ItemRow
            key={id}
            text={texts.assigned.row(type, cells.count)}
            title={texts.assigned.select(type)}
            onShow={() => selectCells(store, cells)}
            remove={
              mayEdit && {
                label: texts.assigned.remove(type),
                act: () =>
                  store.setState((state) => ({
                    assigned: state.assigned.filter((one) => one.id !== id),
                  })),
              }
            }
          />
        ))}
      </ul>
    </PanelSection>
  );
}

/** The latest changes, newest first. */
function HistorySection() {
  const { projectId } = useViewer();
  const revision = useAnnotations((state) => state.revision);
  const history = useQuery({
    queryKey: ["annotation-history", projectId, revision],
    queryFn: ({ signal }) => api(annotationHistory, { params: { id: projectId }, signal }),
    placeholderData: (last) => last,
  });
  const entries = history.data ?? [];
  return (
    <PanelSection title={historyTexts.title}>
      {history.isSuccess && entries.length === 0 && (
        <p className="text-[0.8125rem] text-ink-3">{historyTexts.empty}</p>
      )}
      <ol className="flex flex-col gap-2 text-[0.8125rem]">
        {entries.map((entry) => (
          <li key={entry.revision}>
            <span className={joinClasses("block break-words", entry.undone && "line-through")}>
              {historyTexts.entry(entry)}
            </span>
            <span className="text-ink-3">
              {momentText(entry.at)}, {entry.author}
              {entry.undone && ` (${historyTexts.undone})`}
            </span>
          </li>
        ))}
      </ol>
    </PanelSection>
  );
}

/** How annotations get into the report and the files: of this project, and of one on the command line. */
function ResultsSection() {
  const { projectName } = useViewer();
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const items = useAnnotations((state) => state.items);
  const isFiled = [...items.values()].some(({ kind }) => isFiledKind(kind));
  const save = async (): Promise<void> => {
    const { annotationFileText } = await loadCode(
      () => import("@stipple/contract/annotation-file"),
    );
    const text = annotationFileText(items.values());
    if (text === null) return;
    const file = new Blob([text], { type: "application/json" });
    saveFile(file, `${fileName(projectName, "annotations")}.json`);
  };
  if (!mayEdit && !isFiled) return null;
  return (
    <PanelSection title={nextRunTexts.title} aside={<HelpLink page="annotations" />}>
      <p className="text-[0.8125rem] text-ink-2">{nextRunTexts.hint}</p>
      <div className="flex flex-wrap gap-1.5">
        {mayEdit && <NextRunButton />}
        {isFiled && (
          <Button size="sm" icon={Download} onClick={() => void save()}>
            {nextRunTexts.save}
          </Button>
        )}
      </div>
    </PanelSection>
  );
}
