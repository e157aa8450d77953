import { isFiledKind } from "@stipple/contract/annotation-limits";
import { Download } from "lucide-react";
import { loadCode } from "../../../../app/load-code.ts";
import { Button } from "../../../../components/button.tsx";
import { HelpLink } from "../../../../components/help-link.tsx";
import { PanelSection } from "../../selection/panel/section.tsx";
import { useViewer } from "../../state/viewer-context.tsx";
import { annotationTexts } from "../texts.ts";
import { useAnnotations } from "../use-annotations.ts";
import { NextRunButton } from "./next-run-button.tsx";

const texts = annotationTexts.nextRun;

/** How annotations get into the report and the files. */
export function ResultsSection() {
  const { projectName } = useViewer();
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const items = useAnnotations((state) => state.items);
  const isFiled = [...items.values()].some(({ kind }) => isFiledKind(kind));
  const save = async (): Promise<void> => {
    const { saveAnnotations } = await loadCode(() => import("./save-annotations.ts"));
    saveAnnotations(items.values(), projectName);
  };
  if (!mayEdit && !isFiled) return null;
  return (
    <PanelSection title={texts.title} aside={<HelpLink page="annotations" />}>
      <p className="text-[0.8125rem] text-ink-2">{texts.hint}</p>
      <div className="flex flex-wrap gap-1.5">
        {mayEdit && <NextRunButton />}
        {isFiled && (
          <Button size="sm" icon={Download} onClick={() => void save()}>
            {texts.save}
          </Button>
        )}
      </div>
    </PanelSection>
  );
}
