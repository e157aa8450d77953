import { Download, Import, Upload } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../../../app/api.ts";
import { loadCode } from "../../../../app/load-code.ts";
import { Button } from "../../../../components/button.tsx";
import { FileButton } from "../../../../components/file-button.tsx";
import { fileName, saveFile } from "../../../../components/save-drawing.ts";
import { toast } from "../../../../components/toast-store.ts";
import { useAnnotations } from "../../annotations/use-annotations.ts";
import { useViewer } from "../../state/viewer-context.tsx";
import { addRegions, regionValues } from "../change-regions.ts";
import type { RegionValue, ViewRegion } from "../region-shape.ts";
import { regionTexts } from "../texts.ts";
import { useRegions } from "../use-regions.ts";
import { PanelProblem } from "../../selection/panel/section.tsx";
import { uploadedFile, useUploadedRegions, type UploadedRegions } from "./uploaded-regions.ts";

const texts = regionTexts.files;

/** Reads regions from files and writes them. */
function useRegionFiles(regions: readonly ViewRegion[]) {
  const viewer = useViewer();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function read(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(errorText(error, texts.noAnswer));
    } finally {
      setBusy(false);
    }
  }

  const readFile = (file: File) =>
    read(async () => {
      const { regionsInFile } = await loadCode(() => import("./import-regions.ts"));
      const found = await regionsInFile(file, viewer, regionValues(viewer.annotations));
      if (typeof found === "string") return setProblem(found);
      addRegions(viewer, found);
      toast(texts.imported(found.length), { ok: true });
    });

  const readUploaded = (files: readonly UploadedRegions[]) =>
    read(async () => {
      const { regionsInFile } = await loadCode(() => import("./import-regions.ts"));
      const added: RegionValue[] = [];
      for (const uploaded of files) {
        const file = await uploadedFile(viewer.projectId, uploaded);
        const others = [...regionValues(viewer.annotations), ...added];
        const found = await regionsInFile(file, viewer, others, true);
        if (typeof found === "string") return setProblem(found);
        added.push(...found.map((region) => ({ ...region, excluded: uploaded.excluded })));
      }
      if (added.length > 0) addRegions(viewer, added);
      toast(added.length > 0 ? texts.imported(added.length) : texts.nothingNew, { ok: true });
    });

  async function save(): Promise<void> {
    const { geoJsonOf } = await loadCode(() => import("./export-regions.ts"));
    const values = regions.map(({ value }) => value);
    saveFile(geoJsonOf(values), `${fileName(viewer.projectName, "regions")}.geojson`);
  }
  return { problem, busy, readFile, readUploaded, save };
}

/** Brings regions in from a file, and takes them out to one. */
export function FilesRow() {
  const regions = useRegions();
  const mayEdit = useAnnotations((state) => state.mayEdit);
  const { problem, busy, readFile, readUploaded, save } = useRegionFiles(regions);
  const uploaded = useUploadedRegions(mayEdit);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-1.5">
        {mayEdit && (
          <FileButton
            {...{ size: "sm", busy, icon: Upload }}
            input={{ accept: ".geojson,.json,.tif,.tiff" }}
            onFiles={([file]) => file && void readFile(file)}
          >
            {texts.import}
          </FileButton>
        )}
        {uploaded.length > 0 && (
          <Button size="sm" busy={busy} icon={Import} onClick={() => void readUploaded(uploaded)}>
            {texts.importUploaded}
          </Button>
        )}
        {regions.length > 0 && (
          <Button size="sm" icon={Download} onClick={() => void save()}>
            {texts.export}
          </Button>
        )}
      </div>
      <PanelProblem text={problem} />
    </div>
  );
}
