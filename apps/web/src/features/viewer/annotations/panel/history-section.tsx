import { annotationHistory } from "@stipple/contract/routes/annotations";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../../app/api.ts";
import { joinClasses } from "../../../../components/join-classes.ts";
import { PanelSection } from "../../selection/panel/section.tsx";
import { useViewer } from "../../state/viewer-context.tsx";
import { annotationTexts } from "../texts.ts";
import { useAnnotations } from "../use-annotations.ts";
import { momentText } from "../../../../app/moment-text.ts";

const texts = annotationTexts.history;

/** The latest changes, newest first. */
export function HistorySection() {
  const { projectId } = useViewer();
  const revision = useAnnotations((state) => state.revision);
  const history = useQuery({
    queryKey: ["annotation-history", projectId, revision],
    queryFn: ({ signal }) => api(annotationHistory, { params: { id: projectId }, signal }),
    placeholderData: (last) => last,
  });
  const entries = history.data ?? [];
  return (
    <PanelSection title={texts.title}>
      {history.isSuccess && entries.length === 0 && (
        <p className="text-[0.8125rem] text-ink-3">{texts.empty}</p>
      )}
      <ol className="flex flex-col gap-2 text-[0.8125rem]">
        {entries.map((entry) => (
          <li key={entry.revision}>
            <span className={joinClasses("block break-words", entry.undone && "line-through")}>
              {texts.entry(entry)}
            </span>
            <span className="text-ink-3">
              {momentText(entry.at)}, {entry.author}
              {entry.undone && ` (${texts.undone})`}
            </span>
          </li>
        ))}
      </ol>
    </PanelSection>
  );
}
