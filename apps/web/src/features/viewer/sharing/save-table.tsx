import { Download } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { fileName, saveFile } from "../../../components/save-drawing.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { FileSaving } from "./file-saving.tsx";

/** Saves a table as a CSV file, whose name is made of the project's and `name`. */
export function SaveTable({
  label,
  name,
  csv,
  ...button
}: {
  label: string;
  name: readonly string[];
  csv: () => Promise<Blob>;
  size?: "sm";
  disabled?: boolean;
}) {
  const { projectName } = useViewer();
  const save = async (): Promise<void> =>
    saveFile(await csv(), `${fileName(projectName, ...name)}.csv`);
  return (
    <FileSaving>
      <Button
        {...button}
        icon={<Download aria-hidden className="size-4" />}
        onClick={() => void save()}
      >
        {label}
      </Button>
    </FileSaving>
  );
}
