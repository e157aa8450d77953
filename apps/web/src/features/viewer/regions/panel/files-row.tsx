import { Download, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { loadCode } from "../../../../app/load-code.ts";
import { Button } from "../../../../components/button.tsx";
import { fileName, saveFile } from "../../../../components/save-drawing.ts";
import { toast } from "../../../../components/toast-store.ts";
import { useAnnotations } from "../../annotations/use-annotations.ts";
import { useViewer } from "../../state/viewer-context.tsx";
import { addRegions, regionValues } from "../change-regions.ts";
import type { ViewRegion } from "../region-shape.ts";
import { regionTexts } from "../texts.ts";
import { useRegions } from "../use-regions.ts";
import { PanelProblem } from "../../selection/panel/section.tsx";

const texts = regionTexts.files;

/** Reads regions from files and writes them. */
function useRegionFiles(regions: readonly ViewRegion[]) {
  const viewer = useViewer();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function read(file: File): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      const { regionsInFile } = await loadCode(() => import("./import-regions.ts"));
      const found = await regionsInFile(file, viewer, regionValues(viewer.annotations));
      if (typeof found === "string") return setProblem(found);
      addRegions(viewer, found);
      toast(texts.imported(found.length), { ok: true });
    } finally {
      setBusy(false);
    }
  }

  async function save(): Promise<void> {
    const { geoJsonOf } = await loadCode(() => import("./export-regions.ts"));
    const values = regions.map(({ value }) => value);
    saveFile(geoJsonOf(values), `${fileName(viewer.projectName, "regions")}.geojson`);
  }
  return { problem, busy, read, save };
}

/** Brings regions in from a file, and takes them out to one. */
export function FilesRow() {
  const regions = useRegions();
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const { problem, busy, read, save } = useRegionFiles(regions);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-1.5">
        {mayEdit && (
          <Button size="sm" busy={busy} icon={Upload} onClick={() => input.current?.click()}>
            {texts.import}
          </Button>
        )}
        {regions.length > 0 && (
          <Button size="sm" icon={Download} onClick={() => void save()}>
            {texts.export}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept=".geojson,.json,.tif,.tiff"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // The same file can be chosen again after it was mended.
          event.target.value = "";
          if (file) void read(file);
        }}
      />
      <PanelProblem text={problem} />
    </div>
  );
}
