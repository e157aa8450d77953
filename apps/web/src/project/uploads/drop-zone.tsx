import type { HelpPageName } from "@stipple/contract/help-pages";
import { CloudUpload } from "lucide-react";
import { useEffect, useRef, useState, type DragEvent } from "react";
import { Button } from "../../components/button.tsx";
import { HelpLink } from "../../components/help-link.tsx";
import { joinClasses } from "../../components/join-classes.ts";
import { uploadTexts } from "./texts.ts";
import { droppedFiles, pickedFiles, type Picked } from "./dropped-files.ts";

/** One large place for a whole folder or any of its files, by drag-and-drop or by picker. */
export function DropZone({
  title = uploadTexts.dropTitle,
  hint = uploadTexts.dropHint,
  page = "prepare-files",
  onFiles,
}: {
  title?: string;
  hint?: string;
  page?: HelpPageName;
  onFiles: (picked: Picked) => void;
}) {
  const [over, setOver] = useState(false);
  const folderInput = useRef<HTMLInputElement>(null);
  const filesInput = useRef<HTMLInputElement>(null);

  useEffect(() => {
    window.addEventListener("dragover", stayHere);
    window.addEventListener("drop", stayHere);
    return () => {
      window.removeEventListener("dragover", stayHere);
      window.removeEventListener("drop", stayHere);
    };
  }, []);

  async function drop(event: DragEvent): Promise<void> {
    event.preventDefault();
    setOver(false);
    onFiles(await droppedFiles(event.dataTransfer));
  }

  const picker = (label: string, folder: boolean) => (
    <input
      ref={folder ? folderInput : filesInput}
      type="file"
      multiple
      {...(folder && { webkitdirectory: "" })}
      aria-label={label}
      tabIndex={-1}
      className="sr-only"
      onChange={({ currentTarget }) => {
        if (currentTarget.files) onFiles(pickedFiles(currentTarget.files));
        currentTarget.value = "";
      }}
    />
  );

  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={drop}
      className={joinClasses(
        "relative flex flex-col items-center rounded-card border-2 border-dashed px-6 py-10 text-center transition-colors duration-150",
        over ? "border-primary bg-primary-tint" : "border-line-input/60 bg-card",
      )}
    >
      <span className="grid size-12 place-items-center rounded-full bg-primary-tint text-primary">
        <CloudUpload aria-hidden className="size-6" />
      </span>
      <h2 className="mt-4 text-base">{title}</h2>
      <p className="mt-1 text-ink-2">
        {hint} <HelpLink page={page} />
      </p>
      <div className="mt-5 flex flex-wrap justify-center gap-2">
        <Button onClick={() => folderInput.current?.click()}>{uploadTexts.chooseFolder}</Button>
        <Button onClick={() => filesInput.current?.click()}>{uploadTexts.chooseFiles}</Button>
      </div>
      {picker("Space Ranger folder", true)}
      {picker("Files to upload", false)}
    </div>
  );
}

/** Without this, the browser navigates to a file dropped outside the zone. */
function stayHere(event: globalThis.DragEvent): void {
  if (event.defaultPrevented) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = "none";
}
