import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { fileName, saveFile } from "../../../../components/save-drawing.ts";
import { StatusMessage } from "../../../../components/status-message.tsx";
import { loadCode } from "../../../../app/load-code.ts";
import { FileSaving } from "../../sharing/file-saving.tsx";
import { useViewer } from "../../state/viewer-context.tsx";
import type { DrawnPage } from "../drawing/draw-page.ts";
import { pictureStyle } from "../files/fonts.ts";
import { pngFile } from "../files/png.ts";
import type { PaperFigure } from "../figures.ts";
import { composerTexts as texts } from "../texts.ts";

const KINDS = ["svg", "pdf", "png"] as const;
type FileKind = (typeof KINDS)[number];

/** Saves the page as a file of its size and resolution. */
export function SaveButtons({
  figure,
  disabled,
  drawFor,
}: {
  figure: PaperFigure;
  disabled: boolean;
  drawFor: (figure: PaperFigure) => Promise<DrawnPage>;
}) {
  const { projectName } = useViewer();
  const [saving, setSaving] = useState<FileKind | null>(null);
  const [failed, setFailed] = useState(false);

  async function save(kind: FileKind): Promise<void> {
    setSaving(kind);
    setFailed(false);
    try {
      const file = await fileOf(kind, figure, await drawFor(figure));
      saveFile(file, `${fileName(projectName, figure.name)}.${kind}`);
    } catch (error) {
      console.error(error);
      setFailed(true);
    } finally {
      setSaving(null);
    }
  }

  return (
    <FileSaving>
      <div role="group" aria-label={texts.save} className="flex flex-wrap gap-2">
        {KINDS.map((kind) => (
          <Button
            key={kind}
            size="sm"
            busy={saving === kind}
            disabled={disabled || saving !== null}
            aria-label={texts.saveAs(kind)}
            icon={Download}
            onClick={() => void save(kind)}
          >
            {kind.toUpperCase()}
          </Button>
        ))}
      </div>
      <p role="status" className="sr-only">
        {saving && texts.saving(saving)}
      </p>
      <StatusMessage text={failed ? texts.failed : null} failed />
    </FileSaving>
  );
}

async function fileOf(kind: FileKind, figure: PaperFigure, page: DrawnPage): Promise<Blob> {
  if (kind === "svg") return new Blob([page.svg()], { type: "image/svg+xml" });
  if (kind === "png") return pngFile(figure, page.svg(await pictureStyle()));
  const { pdfFile } = await loadCode(() => import("../files/pdf.ts"));
  return pdfFile(figure, page.svg());
}
