import { HelpLink } from "../../../../components/help-link.tsx";
import { NextRunButton } from "../../annotations/panel/next-run-button.tsx";
import { UndoButtons } from "../../annotations/undo-buttons.tsx";
import { useAnnotations } from "../../annotations/use-annotations.ts";
import { useRegionCells } from "../measures/use-region-cells.ts";
import { regionTexts } from "../texts.ts";
import { useRegions } from "../use-regions.ts";
import { DrawSection } from "./draw-section.tsx";
import { FilesRow } from "./files-row.tsx";
import { PiecesSection } from "./pieces-section.tsx";
import { NearSection } from "./near-section.tsx";
import { RegionList } from "./region-list.tsx";

const texts = regionTexts.panel;

/** The project's regions: drawn, imported, named, measured, and compared. */
export function RegionsPanel() {
  const status = useAnnotations((state) => state.status);
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const problem = useAnnotations((state) => state.problem);
  const regions = useRegions();
  const found = useRegionCells(regions);
  return (
    <div className="flex flex-col gap-5">
      <DrawSection mayEdit={mayEdit} />
      {problem && (
        <p role="status" className="text-[0.8125rem] text-bad">
          {problem}
        </p>
      )}
      {mayEdit && (
        <div className="flex items-center gap-1.5">
          <UndoButtons />
          <HelpLink page="regions" className="ml-auto" />
        </div>
      )}
      {regions.length > 0 ? (
        <RegionList regions={found} mayEdit={mayEdit} />
      ) : (
        <p className="text-[0.8125rem] text-ink-2">
          {status === "loading" ? texts.loading : mayEdit ? texts.empty : texts.emptyReadOnly}
        </p>
      )}
      {mayEdit && regions.length > 0 && (
        <p>
          <NextRunButton />
        </p>
      )}
      <FilesRow regions={regions} mayEdit={mayEdit} />
      {mayEdit && <PiecesSection regions={regions} />}
      <NearSection regions={regions} />
    </div>
  );
}
