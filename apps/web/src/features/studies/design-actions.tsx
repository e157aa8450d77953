import { useRef } from "react";
import { Button } from "../../components/button.tsx";
import { designCsv, type Design } from "./design.ts";
import { saveText } from "./save-text.ts";
import { DESIGN_TEXTS as TEXTS } from "./texts.ts";

/** Adding projects and columns, and the design as CSV. */
export function DesignActions({
  design,
  onDialog,
  onImport,
}: {
  design: Design;
  onDialog: (which: "projects" | "column") => void;
  onImport: (text: string) => void;
}) {
  const file = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" onClick={() => onDialog("projects")}>
        {TEXTS.addProjects}
      </Button>
      <Button size="sm" onClick={() => onDialog("column")}>
        {TEXTS.addColumn}
      </Button>
      <Button size="sm" onClick={() => file.current?.click()}>
        {TEXTS.importCsv}
      </Button>
      <Button size="sm" onClick={() => saveText(designCsv(design), "design.csv")}>
        {TEXTS.exportCsv}
      </Button>
      <input
        ref={file}
        type="file"
        accept=".csv,.tsv,.txt"
        aria-label={TEXTS.importCsv}
        hidden
        onChange={({ target }) => {
          void target.files?.[0]?.text().then(onImport);
          target.value = "";
        }}
      />
    </>
  );
}
