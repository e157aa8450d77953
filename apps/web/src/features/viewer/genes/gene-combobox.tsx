import { Combobox } from "@base-ui/react/combobox";
import { Search, X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { viewerTexts } from "../texts.ts";
import { useReliabilities } from "../data/use-reliability.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { geneMatches } from "../../../project/view/gene-matches.ts";
import {
  SEARCH_CLEAR,
  SEARCH_ICON,
  SEARCH_INPUT,
  type GeneSearchProps,
  type Typed,
} from "./gene-search.tsx";

const MAX_SHOWN = 60;

/** The search box over all genes, listing the first sixty matches; loaded on first focus. */
export function GeneCombobox({
  label,
  value,
  onChange,
  onMark,
  typed,
}: GeneSearchProps & { typed: Typed | null }) {
  const { genes } = useViewer().manifest;
  const [text, setText] = useState(typed?.isListWanted === false ? typed.text : (value ?? ""));
  const input = useRef<HTMLInputElement>(null);
  const before = useRef(typed);
  // Replaces the plain box, taking over what the user is typing there.
  useEffect(() => {
    if (!before.current || !input.current) return;
    typeInto(input.current, before.current);
    before.current = null;
  }, []);
  // The chosen gene's name in the box is not a search; show the full list.
  const query = text === value ? "" : text;
  const matches = useMemo(() => geneMatches(genes, query, MAX_SHOWN), [genes, query]);
  const reliable = useReliabilities(matches);
  return (
    <Combobox.Root<string>
      filteredItems={matches}
      value={value}
      onValueChange={onChange}
      inputValue={text}
      onInputValueChange={setText}
      {...(onMark && {
        onItemHighlighted: (gene) =>
          onMark(gene, gene?.toLowerCase() === query.trim().toLowerCase()),
      })}
      autoHighlight
    >
      <Combobox.InputGroup className="relative">
        <Search aria-hidden className={SEARCH_ICON} />
        <Combobox.Input
          ref={input}
          aria-label={label}
          placeholder={viewerTexts.genePlaceholder(genes.length)}
          spellCheck={false}
          className={SEARCH_INPUT}
        />
        <Combobox.Clear aria-label={viewerTexts.geneClear(label)} className={SEARCH_CLEAR}>
          <X aria-hidden className="size-3.5" />
        </Combobox.Clear>
      </Combobox.InputGroup>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} className="z-50 outline-none">
          <Combobox.Popup className="max-h-[min(20rem,var(--available-height))] w-[var(--anchor-width)] overflow-y-auto overscroll-contain rounded-control border border-line bg-card py-1 shadow-lg">
            <Combobox.Empty>
              <p className="px-3 py-2 text-ink-3">{viewerTexts.geneNone}</p>
            </Combobox.Empty>
            <Combobox.List>
              {(gene: string, at: number) => (
                <Combobox.Item
                  key={gene}
                  value={gene}
                  className="cursor-default px-3 py-1.5 text-[0.8125rem] outline-none select-none data-highlighted:bg-primary-tint data-highlighted:text-primary data-selected:font-semibold"
                >
                  {gene}
                  {reliable[at] === false && (
                    <span title={viewerTexts.unreliableInShort} className="float-right text-warn">
                      <span aria-hidden>{viewerTexts.unreliableSign}</span>
                      <span className="sr-only"> {viewerTexts.unreliableInShort}</span>
                    </span>
                  )}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

/** Simulates typing a text into the box, so that its list opens and highlights the first gene. */
function typeInto(box: HTMLInputElement, { text, selection, isListWanted }: Typed): void {
  box.focus();
  if (isListWanted && text !== box.value) {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(box, text);
    box.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
  }
  box.setSelectionRange(...selection);
}
