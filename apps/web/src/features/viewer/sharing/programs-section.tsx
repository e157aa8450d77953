import { useState } from "react";
import { SelectField } from "../../../components/field.tsx";
import { sharingTexts as texts } from "./texts.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { CopyButton } from "../../../project/share-links/copy-button.tsx";
import { programs } from "./programs.ts";

/** How to open the downloaded results in other programs, for this project and the displayed gene. */
export function ProgramsSection() {
  const { manifest, projectName, readOnly, mayExport } = useViewer();
  const gene = useViewerState((shown) => shown.gene);
  const colorBy = useViewerState((shown) => shown.colorBy);
  const list = programs({
    projectName,
    gene: gene ?? manifest.genes[0] ?? null,
    showsGene: colorBy === "gene" && gene !== null,
    // Where no cells were found, spots are used as cells.
    spotLevel: manifest.nCells === manifest.nSpots,
    hd: manifest.binSidePx !== null,
  });
  const [chosen, setChosen] = useState(list[0]?.id);
  const program = list.find(({ id }) => id === chosen) ?? list[0];

  return (
    <>
      {readOnly && (
        <p className="text-[0.8125rem] text-ink-3">
          {mayExport ? texts.programsReadOnly : texts.programsReadOnlyTrial}
        </p>
      )}
      {!mayExport && !readOnly && (
        <p className="rounded-control bg-warn-tint px-3 py-2.5 text-[0.8125rem] text-ink">
          {texts.programsTrial}{" "}
          <a href="/pricing" target="_blank" className="text-primary underline underline-offset-2">
            {texts.toPricing}
          </a>
        </p>
      )}
      <SelectField label={texts.program} value={chosen} onValue={setChosen}>
        {list.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {program && (
        <ol className="flex flex-col gap-4">
          {program.steps.map(({ text, code }, at) => (
            <li key={text} className="flex flex-col gap-2">
              <p className="text-[0.8125rem] break-words">{text}</p>
              {code !== undefined && (
                <>
                  <pre
                    tabIndex={0}
                    role="region"
                    aria-label={texts.code(program.name, at + 1)}
                    className="max-h-56 overflow-auto rounded-control border border-line bg-raised p-3 font-mono text-xs leading-5"
                  >
                    {code}
                  </pre>
                  <CopyButton
                    size="sm"
                    className="self-start"
                    aria-label={texts.copyCode(program.name, at + 1)}
                    text={() => code}
                  />
                </>
              )}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
