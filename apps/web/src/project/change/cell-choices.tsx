import type { RunChoices } from "@stipple/contract/routes/workflow";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import type { ChoiceSchema } from "../choices/choice-schema.ts";
import { DETECTION_STEP, DetectionSection } from "../detection/detection-section.tsx";
import { MoreFiles } from "../own-files/more-files.tsx";
import { ownFileTexts } from "../own-files/texts.ts";
import type { OwnFiles } from "../own-files/use-own-files.ts";
import { outlinesAre, withOutlinesAre } from "./outlines-are.ts";

type Parameters = RunChoices["parameters"];

/** The files that a user may add, what outlines among them are, and, without outlines, how readily nuclei are found. */
export function CellChoices({
  projectId,
  own,
  steps,
  parameters,
  onChange,
}: {
  projectId: string;
  own: OwnFiles;
  /** With the parameters on offer. */
  steps: readonly { id: string; parameters: object }[];
  parameters: Parameters;
  onChange: (parameters: Parameters) => void;
}) {
  const hasOutlines = own.filled.has("outlines");
  const schema = steps.find(({ id }) => id === DETECTION_STEP)!.parameters as ChoiceSchema;
  return (
    <>
      <MoreFiles projectId={projectId} own={own}>
        {hasOutlines && (
          <div className="px-6 py-4 max-sm:px-4">
            <ChoiceGroup
              legend={ownFileTexts.outlinesAre}
              choices={ownFileTexts.outlineKinds}
              value={outlinesAre(parameters)}
              onChange={(kind) => onChange(withOutlinesAre(parameters, kind))}
            />
          </div>
        )}
      </MoreFiles>
      {!hasOutlines && (
        <DetectionSection
          projectId={projectId}
          schema={schema}
          choices={parameters[DETECTION_STEP] ?? {}}
          onChange={(choices) => {
            const { [DETECTION_STEP]: _former, ...others } = parameters;
            const isEmpty = Object.keys(choices).length === 0;
            onChange(isEmpty ? others : { ...others, [DETECTION_STEP]: choices });
          }}
        />
      )}
    </>
  );
}
