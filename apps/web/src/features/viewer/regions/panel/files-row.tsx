import { useMutation } from "@tanstack/react-query";
import { Download, Import, Upload } from "lucide-react";
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
  const reading = useMutation({
    /** The answer is what is wrong with the files. */
    mutationFn: (read: () => Promise<string | undefined>) => read(),
  });

  const readFile = (file: File) =>
    reading.mutate(async () => {
      const { regionsInFile } = await loadCode(() => import("./import-regions.ts"));
      const found = await regionsInFile(file, viewer, regionValues(viewer.annotations));
      if (typeof found === "string") return found;
      addRegions(viewer, found);
      toast(texts.imported(found.length), { ok: true });
      return undefined;
    });

  const readUploaded = (files: readonly UploadedRegions[]) =>
    reading.mutate(async () => {
      const { regionsInFile } = await loadCode(() => import("./import-regions.ts"));
      const added: RegionValue[] = [];
      for (const uploaded of files) {
        const file = await uploadedFile(viewer.projectId, uploaded);
        const others = [...regionValues(viewer.annotations), ...added];
        const found = await regionsInFile(file, viewer, others, true);
        if (typeof found === "string") return found;
        added.push(...found.map((region) => ({ ...region, excluded: uploaded.excluded })));
      }
      if (added.length > 0) addRegions(viewer, added);
      toast(added.length > 0 ? texts.imported(added.length) : texts.nothingNew, { ok: true });
      return undefined;
    });

  async function save(): Promise<void> {
    const { geoJsonOf } = await loadCode(() => import("./export-regions.ts"));
    const values = regions.map(({ value }) => value);
    saveFile(geoJsonOf(values), `${fileName(viewer.projectName, "regions")}.geojson`);
  }
  const { data, error, isPending: busy } = reading;
  const problem = error ? errorText(error, texts.noAnswer) : data;
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
            onFiles={([file]) => file && readFile(file)}
          >
            {texts.import}
          </FileButton>
        )}
        {uploaded.length > 0 && (
          <Button size="sm" busy={busy} icon={Import} onClick={() => readUploaded(uploaded)}>
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
