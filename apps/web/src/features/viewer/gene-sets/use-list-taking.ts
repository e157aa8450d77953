import { useMemo, useState } from "react";
import { useViewer } from "../state/viewer-context.tsx";
import type { ViewerStore } from "../state/viewer-store.ts";
import { addLists } from "./edit-lists.ts";
import { geneMatcher } from "../../../project/view/match-genes.ts";
import { otherSpecies } from "./other-species.ts";
import { MAX_FILE_BYTES, MAX_LIST_GENES, MAX_LISTS, readLists } from "./read-lists.ts";
import { geneSetTexts as texts } from "./texts.ts";

/** What became of given lists, in sentences. */
export interface TakenLists {
  added: string | null;
  warning: string | null;
  failed: string | null;
}

/** Takes lists from texts and files into the view. */
export function useListTaking(): {
  told: TakenLists | null;
  /** Whether the text was taken; `called`: the name of a list without one, `what`: what the text is, for a sentence. */
  take: (written: string, called: string, what: string) => boolean;
  takeFiles: (files: Iterable<File>) => Promise<void>;
} {
  const { manifest, store } = useViewer();
  const match = useMemo(() => geneMatcher(manifest.genes), [manifest.genes]);
  const [told, setTold] = useState<TakenLists | null>(null);

  function take(written: string, called: string, what: string): boolean {
    const { lists, fault } = readLists(written, called);
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
      if (!take(await file.text(), file.name.replace(/\.[^.]+$/, ""), what)) return;
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
