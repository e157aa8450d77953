import { GeneReliability } from "./gene-reliability.tsx";
import { GeneSearch, type GeneSearchProps } from "./gene-search.tsx";

/** A gene, and how reliable its values are. */
export function GeneChoice(props: GeneSearchProps) {
  return (
    <>
      <GeneSearch {...props} />
      {props.value !== null && <GeneReliability gene={props.value} />}
    </>
  );
}
