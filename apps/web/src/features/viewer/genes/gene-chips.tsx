import { X } from "lucide-react";
import { viewerTexts } from "../../../texts/viewer.ts";

/** Chosen genes, each with a way to take it off. */
export function GeneChips({
  genes,
  onChange,
}: {
  genes: readonly string[];
  onChange: (genes: readonly string[]) => void;
}) {
  return (
    <ul className="flex flex-wrap gap-1.5">
      {genes.map((gene) => (
        <li
          key={gene}
          className="flex items-center gap-1 rounded-full bg-raised py-0.5 pr-1 pl-2.5 text-xs"
        >
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
