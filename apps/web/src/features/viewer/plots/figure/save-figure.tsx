import { Download } from "lucide-react";
import { fileName, saveFile } from "../../../../components/save-drawing.ts";
import { toast } from "../../../../components/toast-store.ts";
import { FileSaving } from "../../sharing/file-saving.tsx";
import { useViewer } from "../../state/viewer-context.tsx";
import { plotTexts } from "../texts.ts";
import { tableFile, type Figure } from "./figure.ts";

type Kind = "png" | "svg" | "csv";

/** Buttons that save a figure as a picture, and its numbers as a table. The files are named after the project and it. */
export function SaveFigure({
  name,
  kinds = ["png", "svg", "csv"],
  figure,
}: {
  name: string;
  kinds?: readonly Kind[];
  figure: () => Figure | Promise<Figure>;
}) {
  const { projectName } = useViewer();
  async function save(kind: Kind): Promise<void> {
    const file = fileName(projectName, name);
    try {
      const made = await figure();
      if (kind === "csv") return saveFile(await tableFile(made.table), `${file}.csv`);
      const { saveSheet } = await import("./sheet.ts");
      await saveSheet(kind, made, projectName, file);
    } catch {
      toast(plotTexts.saveFailed, { failed: true });
    }
  }
  return (
    <FileSaving>
      <div className="flex self-start overflow-hidden rounded-control border border-line-input/60 bg-card">
        {kinds.map((kind, at) => (
          <button
            key={kind}
            type="button"
            aria-label={plotTexts.saveAs(kind)}
            title={plotTexts.saveAs(kind)}
            onClick={() => void save(kind)}
            className="flex h-7.5 items-center gap-2 border-r border-line px-2.5 text-[0.8125rem] font-medium outline-offset-[-3px] last:border-0 hover:bg-raised"
          >
            {at === 0 && <Download aria-hidden className="size-3.5" />}
            {kind.toUpperCase()}
          </button>
        ))}
      </div>
    </FileSaving>
  );
}
