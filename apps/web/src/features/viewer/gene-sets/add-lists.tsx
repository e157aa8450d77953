import { useMemo, useState, type DragEvent } from "react";
import { Button } from "../../../components/button.tsx";
import { FileButton } from "../../../components/file-button.tsx";
import { HelpLink } from "../../../components/help-link.tsx";
import { Input } from "../../../components/field.tsx";
import { joinClasses } from "../../../components/join-classes.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { geneSetTexts as texts } from "./texts.ts";
import { firstFreeName } from "../state/free-names.ts";
import type { ViewerStore } from "../state/viewer-store.ts";
import { addLists } from "./edit-lists.ts";
import { geneFinder, geneMatcher } from "../../../project/view/match-genes.ts";
import { otherSpecies } from "./other-species.ts";
import { MAX_FILE_BYTES, MAX_LIST_GENES, MAX_LISTS, readLists, textOfLists } from "./read-lists.ts";

/** Genes pasted, or files chosen or dropped. */
export function AddLists() {
  const { store } = useViewer();
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const { told, take, takeFiles } = useListTaking();
  const [isOver, setIsOver] = useState(false);
  const names = store.getState().geneLists.map((list) => list.name);
  const proposed = firstFreeName(names, texts.defaultName);

  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setIsOver(over);
  };
  return (
    <form
      className={joinClasses(
        "flex flex-col gap-2 rounded-control",
        isOver && "outline-2 outline-offset-4 outline-primary outline-dashed",
      )}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event);
        void takeFiles(event.dataTransfer.files);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (take(text, name.trim() || proposed, texts.pasted)) {
          setText("");
          setName("");
        }
      }}
    >
      <p className="text-[0.8125rem] text-ink-2">
        {texts.intro} <HelpLink page="clusters-and-genes" />
      </p>
      <textarea
        rows={3}
        aria-label={texts.text}
        value={text}
        spellCheck={false}
        placeholder={texts.placeholder}
        onChange={({ target }) => setText(target.value)}
        className="w-full resize-y rounded-control border border-line-input bg-card px-3 py-2 text-ink placeholder:text-ink-3"
      />
      <Input
        aria-label={texts.name}
        placeholder={proposed}
        maxLength={80}
        className="h-9!"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <div className="flex items-center gap-2">
        <Button type="submit" size="sm" variant="primary" disabled={text.trim() === ""}>
          {texts.add}
        </Button>
        <FileButton
          size="sm"
          input={{
            "aria-label": texts.file,
            accept: ".gmt,.txt,.csv,.tsv,text/plain",
            multiple: true,
          }}
          onFiles={(files) => void takeFiles(files)}
        >
          {texts.file}
        </FileButton>
      </div>
      <Outcome told={told} />
    </form>
  );
}

/** What was added, with what is odd about it, or why nothing was. */
function Outcome({ told }: { told: TakenLists | null }) {
  return (
    <>
      <p role="status" className="text-[0.8125rem] text-ink-2 empty:hidden">
        {told?.added}
      </p>
      {told?.warning && (
        <p role="status" className="rounded-control bg-warn-tint px-2.5 py-1.5 text-xs text-warn">
          {told.warning}
        </p>
      )}
      {told?.failed && (
        <p role="alert" className="text-[0.8125rem] text-bad">
          {told.failed}
        </p>
      )}
    </>
  );
}

/** What became of given lists, in sentences. */
interface TakenLists {
  added: string | null;
  warning: string | null;
  failed: string | null;
}

/** Takes lists from texts and files into the view. */
function useListTaking() {
  const { manifest, store } = useViewer();
  const match = useMemo(() => geneMatcher(manifest.genes), [manifest.genes]);
  const find = useMemo(() => geneFinder(manifest.genes), [manifest.genes]);
  const [told, setTold] = useState<TakenLists | null>(null);

  /** Whether the text was taken; `called`: the name of a list without one, `what`: what the text is, for a sentence. */
  function take(written: string, called: string, what: string): boolean {
    const { lists, fault } = readLists(written, called, (name) => find(name) !== undefined);
    const failed = fault ? sentenceOf(fault, what) : tooMany(store, lists.length);
    if (failed || !lists) {
      setTold({ added: null, warning: null, failed });
      return false;
    }
    addLists(store, lists);
    const names = [...new Set(lists.flatMap(({ genes }) => genes))];
    const other = otherSpecies(names, manifest.genes);
    setTold({
      added: texts.added(lists.length, match(names).known.length, names.length),
      warning: other && texts.otherSpecies(other.list, other.sample),
      failed: null,
    });
    return true;
  }

  async function takeFiles(files: Iterable<File>): Promise<void> {
    for (const file of files) {
      const what = `“${file.name}”`;
      if (file.size > MAX_FILE_BYTES) {
        const most = `${MAX_FILE_BYTES / 1e6} MB`;
        return setTold({ added: null, warning: null, failed: texts.faults.tooLarge(what, most) });
      }
      if (!take(await textOfLists(file), file.name.replace(/\.[^.]+$/, ""), what)) return;
    }
  }

  return { told, take, takeFiles };
}

function sentenceOf(
  fault: NonNullable<ReturnType<typeof readLists>["fault"]>,
  what: string,
): string {
  const { faults } = texts;
  switch (fault.kind) {
    case "nothing":
      return faults.nothing(what);
    case "notText":
      return faults.notText(what);
    case "longList":
      return faults.longList(fault.name, fault.genes, MAX_LIST_GENES);
    case "manyLists":
      return faults.manyLists(fault.lists, MAX_LISTS);
  }
}

function tooMany(store: ViewerStore, more: number): string | null {
  const lists = store.getState().geneLists.length + more;
  return lists > MAX_LISTS ? texts.faults.manyLists(lists, MAX_LISTS) : null;
}
