import { removeReference, type ListedReference } from "@stipple/contract/routes/references";
import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { api, errorText } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { SelectField } from "../../components/field.tsx";
import { toast } from "../../components/toast-store.ts";
import { referenceTexts as TEXTS } from "./texts.ts";
import { REFERENCES_KEY, useReferences } from "./use-references.ts";

/** A choice of kept references by tissue, with where the chosen one is from. Nothing until they are loaded. */
export function KeptReferenceChoice({
  value,
  disabled,
  onChange,
  onRemoved,
}: {
  /** Id of the chosen one. */
  value: string | null;
  disabled?: boolean;
  onChange: (reference: ListedReference | null) => void;
  /** Called when the chosen one is not kept anymore. */
  onRemoved?: () => void;
}) {
  const references = useReferences();
  if (references.length === 0) return null;
  const chosen = references.find(({ id }) => id === value);
  const tissues = [...new Set(references.map(({ tissue }) => tissue))];
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={TEXTS.choose}
        hint={TEXTS.hint}
        disabled={disabled}
        value={chosen?.id ?? ""}
        onValue={(value) => onChange(references.find(({ id }) => id === value) ?? null)}
      >
        <option value="">{TEXTS.none}</option>
        {tissues.map((tissue) => (
          <optgroup key={tissue} label={tissue}>
            {references
              .filter((one) => one.tissue === tissue)
              .map((one) => (
                <option key={one.id} value={one.id}>
                  {TEXTS.option(one)}
                </option>
              ))}
          </optgroup>
        ))}
      </SelectField>
      {chosen && <About reference={chosen} onRemoved={() => onRemoved?.()} />}
    </div>
  );
}

function About({ reference, onRemoved }: { reference: ListedReference; onRemoved: () => void }) {
  const client = useQueryClient();
  const { id, name, source, citation, license } = reference;
  const facts = [
    [TEXTS.source, source],
    [TEXTS.citation, citation],
    [TEXTS.license, license],
  ] as const;

  async function remove(): Promise<void> {
    try {
      await api(removeReference, { params: { id } });
      onRemoved();
      await client.invalidateQueries({ queryKey: REFERENCES_KEY });
      toast(TEXTS.removed(name), { ok: true });
    } catch (error) {
      toast(TEXTS.removeFailed(errorText(error, TEXTS.noAnswer)), { failed: true });
    }
  }

  return (
    <div className="flex flex-col items-start gap-1 text-[0.8125rem] text-ink-2 [overflow-wrap:anywhere]">
      <p>{TEXTS.facts(reference)}</p>
      <dl>
        {facts.map(
          ([what, text]) =>
            text !== null && (
              <div key={what}>
                <dt className="inline font-medium">{what}: </dt>
                <dd className="inline">{text}</dd>
              </div>
            ),
        )}
      </dl>
      {reference.is_own && (
        <Button size="sm" variant="ghost" icon={Trash2} onClick={() => void remove()}>
          {TEXTS.remove}
        </Button>
      )}
    </div>
  );
}
