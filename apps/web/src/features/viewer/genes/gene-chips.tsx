import { X } from "lucide-react";
import { viewerTexts } from "../texts.ts";
import { useReliabilities } from "../data/use-reliability.ts";

/** Chosen genes, with unreliable ones marked, each with a remove button. */
export function GeneChips({
  genes,
  onChange,
}: {
  genes: readonly string[];
  onChange: (genes: readonly string[]) => void;
}) {
  const reliable = useReliabilities(genes);
  return (
    <ul className="flex flex-wrap gap-1.5">
      {genes.map((gene, at) => (
        <li
          key={gene}
          className="flex items-center gap-1 rounded-full bg-raised py-0.5 pr-1 pl-2.5 text-xs"
        >
          {reliable[at] === false && (
            <span title={viewerTexts.unreliableInShort} className="mr-1 text-warn">
              <span aria-hidden>{viewerTexts.unreliableSign}</span>
              <span className="sr-only">{viewerTexts.unreliableInShort}: </span>
            </span>
          )}
          {gene}
          <button
            type="button"
            aria-label={viewerTexts.scoreRemove(gene)}
            onClick={() => onChange(genes.filter((other) => other !== gene))}
            className="grid size-6 place-items-center rounded-full text-ink-3 hover:text-ink"
          >
            <X aria-hidden className="size-3" />
          </button>
        </li>
      ))}
    </ul>
  );
}
