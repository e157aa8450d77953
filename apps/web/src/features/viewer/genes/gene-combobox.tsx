import { Combobox } from "@base-ui/react/combobox";
import { Search, X } from "lucide-react";
import { useMemo, useState } from "react";
import { viewerTexts } from "../texts.ts";
import { useReliabilities } from "../data/use-reliability.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { geneMatches } from "../../../project/view/gene-matches.ts";
import type { GeneSearchProps } from "./gene-search.tsx";

const MAX_SHOWN = 60;

/** The search box over all genes, listing the first sixty matches. */
export function GeneCombobox({ label, value, onChange, onMark }: GeneSearchProps) {
  const { genes } = useViewer().manifest;
  const [text, setText] = useState(value ?? "");
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
        <Search
          aria-hidden
          className="pointer-events-none absolute top-3 left-3 size-4 text-ink-3"
        />
        <Combobox.Input
          aria-label={label}
          placeholder={viewerTexts.genePlaceholder(genes.length)}
          spellCheck={false}
          className="h-10 w-full rounded-control border border-line-input bg-card pr-9 pl-9 text-ink placeholder:text-ink-3"
        />
        <Combobox.Clear
          aria-label={viewerTexts.geneClear(label)}
          className="absolute top-2 right-2 grid size-6 place-items-center rounded text-ink-3 hover:text-ink"
        >
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
