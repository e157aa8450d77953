import { GeneSearch, type GeneSearchProps } from "./gene-search.tsx";
import { HelpLink } from "../../../components/help-link.tsx";
import { viewerTexts } from "../texts.ts";
import { useReliability } from "../data/use-reliability.ts";
import { joinClasses } from "../../../components/join-classes.ts";
import { CircleCheck, TriangleAlert } from "lucide-react";

/** A gene, and how reliable its values are. */
export function GeneChoice(props: GeneSearchProps) {
  return (
    <>
      <GeneSearch {...props} />
      {props.value !== null && <GeneReliability gene={props.value} />}
    </>
  );
}

/** How reliable a gene's inferred values are, in words and numbers. */
function GeneReliability({ gene }: { gene: string }) {
  const reliability = useReliability(gene);
  if (!reliability) return null;
  const { reliable, because, heldoutPcc, rateCv } = reliability;
  const Icon = reliable ? CircleCheck : TriangleAlert;
  return (
    <p
      className={joinClasses(
        "-mt-1 flex items-start gap-2 rounded-control px-2.5 py-1.5 text-xs",
        reliable ? "bg-ok-tint text-ok" : "bg-warn-tint text-warn",
      )}
    >
      <Icon aria-hidden className="mt-px size-3.5 shrink-0" />
      <span>
        {reliable ? viewerTexts.reliable(gene) : viewerTexts.unreliable(gene)}
        {because && ` ${viewerTexts.unreliableBecause[because]}`}
        {heldoutPcc !== null && ` ${viewerTexts.heldout(heldoutPcc)}`}
        {rateCv !== null && ` ${viewerTexts.rateCv(rateCv)}`}
      </span>
      <HelpLink page="glossary" section="reliable-gene" className="-my-1 ml-auto text-current" />
    </p>
  );
}
