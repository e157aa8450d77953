import { Combobox } from "@base-ui/react/combobox";
import { Search, X } from "lucide-react";
import { useMemo, useState } from "react";
import { viewerTexts } from "../../../texts/viewer.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { geneMatches } from "./gene-matches.ts";

const MOST_SHOWN = 60;

/** A search box over all genes; offers the first sixty that fit what was typed. */
export function GeneSearch({
  label,
  value,
  onChange,
  onMark,
}: {
  label: string;
  value: string | null;
  onChange: (gene: string | null) => void;
  /** Hears the gene that is marked in the list and may be chosen next; undefined when none is. */
  onMark?: (gene: string | undefined) => void;
}) {
  const { genes } = useViewer().manifest;
  const [text, setText] = useState(value ?? "");
  // The chosen gene's own name in the box is no search: the list then begins anew.
  const query = text === value ? "" : text;
  const matches = useMemo(() => geneMatches(genes, query, MOST_SHOWN), [genes, query]);
  return (
    <Combobox.Root<string>
      filteredItems={matches}
      value={value}
      onValueChange={onChange}
      inputValue={text}
      onInputValueChange={setText}
      {...(onMark && { onItemHighlighted: onMark })}
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
              {(gene: string) => (
                <Combobox.Item
                  key={gene}
                  value={gene}
                  className="cursor-default px-3 py-1.5 text-[0.8125rem] outline-none select-none data-highlighted:bg-primary-tint data-highlighted:text-primary data-selected:font-semibold"
                >
                  {gene}
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
