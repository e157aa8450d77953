import { lazyPart } from "../../../app/load-code.ts";
import { LazyBoundary } from "../../../components/lazy-boundary.tsx";

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

const GeneCombobox = lazyPart(() => import("./gene-combobox.tsx"), "GeneCombobox");

/** A search box over all genes, loaded when first shown: its list is a tenth of the view's script. */
export function GeneSearch(props: GeneSearchProps) {
  return (
    <LazyBoundary
      waiting={<div className="h-10 rounded-control border border-line-input bg-card" />}
    >
      <GeneCombobox {...props} />
    </LazyBoundary>
  );
}
