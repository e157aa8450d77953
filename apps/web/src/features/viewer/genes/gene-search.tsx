import { Search, X } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { loadCode } from "../../../app/load-code.ts";
import { viewerTexts } from "../texts.ts";
import { useViewer } from "../state/viewer-context.tsx";
import type { GeneCombobox } from "./gene-combobox.tsx";

export interface GeneSearchProps {
  label: string;
  value: string | null;
  onChange: (gene: string | null) => void;
  /**
   * Called with the gene highlighted in the list, which may be chosen next (undefined if none is), and whether its full
   * name was typed.
   */
  onMark?: (gene: string | undefined, isTyped: boolean) => void;
}

/** The text typed into the box so far, its selection range, and whether the list is wanted (not after Escape). */
export interface Typed {
  text: string;
  isListWanted: boolean;
  selection: [from: number, to: number];
}

export const SEARCH_ICON = "pointer-events-none absolute top-3 left-3 size-4 text-ink-3";
export const SEARCH_INPUT =
  "h-10 w-full rounded-control border border-line-input bg-card pr-9 pl-9 text-ink placeholder:text-ink-3";
export const SEARCH_CLEAR =
  "absolute top-2 right-2 grid size-6 place-items-center rounded text-ink-3 hover:text-ink";

/** Shared by all boxes: once loaded, new boxes use it immediately. */
let loaded: typeof GeneCombobox | null = null;

/**
 * A search box over all genes. Until first focus it is a plain input: the list code is a tenth of the view's script.
 */
export function GeneSearch(props: GeneSearchProps) {
  const { label, value, onChange } = props;
  const { genes } = useViewer().manifest;
  const [Combobox, setCombobox] = useState(() => loaded);
  const [text, setText] = useState<string | null>(null);
  const [typed, setTyped] = useState<Typed | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const isListWanted = useRef(true);

  if (Combobox) return <Combobox {...props} typed={typed} />;
  const load = async (): Promise<void> => {
    loaded = (await loadCode(() => import("./gene-combobox.tsx"))).GeneCombobox;
    const box = input.current;
    // Flush synchronously: a key pressed between reading the box and replacing it would be lost.
    flushSync(() => {
      if (box && document.activeElement === box) {
        const selection: Typed["selection"] = [box.selectionStart ?? 0, box.selectionEnd ?? 0];
        setTyped({ text: box.value, selection, isListWanted: isListWanted.current });
      }
      setCombobox(() => loaded);
    });
  };
  return (
    <div className="relative">
      <Search aria-hidden className={SEARCH_ICON} />
      <input
        ref={input}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-expanded={false}
        autoComplete="off"
        placeholder={viewerTexts.genePlaceholder(genes.length)}
        spellCheck={false}
        className={SEARCH_INPUT}
        value={text ?? value ?? ""}
        onChange={(event) => {
          isListWanted.current = true;
          setText(event.target.value);
        }}
        onKeyDown={({ key }) => {
          if (key === "Escape") isListWanted.current = false;
        }}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
      />
      {value !== null && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={viewerTexts.geneClear(label)}
          className={SEARCH_CLEAR}
          onClick={() => onChange(null)}
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
    </div>
  );
}
