import { useId, useState } from "react";
import { Options, Field, Input, SelectField } from "../../../components/field.tsx";
import { Segmented } from "../../../components/segmented.tsx";
import { geneMatches } from "../../../project/view/gene-matches.ts";
import { QuantileSlider } from "../../../components/quantile-slider.tsx";
import type { Choice } from "./choice.ts";
import { TOGETHER_TEXTS as TEXTS } from "./texts.ts";

interface ControlsProps {
  choice: Choice;
  /** Genes of any section. */
  genes: readonly string[];
  onChange: (part: Partial<Choice>) => void;
}

/** What all sections are colored by. */
export function ChoiceControls({ choice, genes, onChange }: ControlsProps) {
  const { by, layer, quantiles } = choice;
  const hasValues = by === "gene" || by === "spots";
  return (
    <div className="flex flex-col gap-3">
      <SelectField
        label={TEXTS.colorBy}
        value={by}
        onValue={(value) => onChange({ by: value as Choice["by"] })}
      >
        <Options of={Object.entries(TEXTS.colorings)} />
      </SelectField>
      {hasValues && <GeneBox choice={choice} genes={genes} onChange={onChange} />}
      {by === "gene" && (
        <Segmented
          label={TEXTS.layer}
          names={TEXTS.layers}
          value={layer}
          onChange={(next) => onChange({ layer: next })}
        />
      )}
      {hasValues && (
        <QuantileSlider quantiles={quantiles} onChange={(next) => onChange({ quantiles: next })} />
      )}
    </div>
  );
}

const MAX_OFFERED = 30;

/** A gene by its name; the browser offers those that match. */
function GeneBox({ choice: { gene, by }, genes, onChange }: ControlsProps) {
  const [text, setText] = useState(gene ?? "");
  const [isUnknown, setIsUnknown] = useState(false);
  const list = useId();
  const offered = geneMatches(genes, text, MAX_OFFERED);
  const take = (typed: string, isDone: boolean): void => {
    const [best] = geneMatches(genes, typed, 1);
    const wanted = typed.trim().toLowerCase();
    const isExact = best?.toLowerCase() === wanted;
    setIsUnknown(isDone && wanted !== "" && !isExact);
    if (wanted === "") onChange({ gene: null });
    else if (isExact && (isDone || best === typed)) onChange({ gene: best! });
  };
  return (
    <Field
      label={TEXTS.gene}
      hint={by === "spots" ? TEXTS.geneHint : undefined}
      error={isUnknown ? TEXTS.geneNone : null}
    >
      {(control) => (
        <>
          <Input
            {...control}
            list={list}
            value={text}
            spellCheck={false}
            autoComplete="off"
            placeholder={TEXTS.genePlaceholder(genes.length)}
            onChange={({ target }) => {
              setText(target.value);
              take(target.value, false);
            }}
            onKeyDown={({ key }) => key === "Enter" && take(text, true)}
            onBlur={() => take(text, true)}
          />
          <datalist id={list}>
            {offered.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
