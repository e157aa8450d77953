import { Suspense } from "react";
import { lazyPart } from "../../app/load-code.ts";
import { ClosedSection } from "../../components/closed-section.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { valueAt, withValue, type Choices, type ChoiceSchema } from "../choices/choice-schema.ts";
import { detectionTexts as TEXTS } from "./texts.ts";

const DetectionView = lazyPart(() => import("./detection-view.tsx"), "DetectionView");

/** The step with this parameter. */
export const DETECTION_STEP = "morphological-analysis";
const PATH = ["nuclei", "network", "minScore"] as const;

/** The closed section in which the detection threshold is chosen by what it finds in a tile. */
export function DetectionSection({
  projectId,
  schema,
  choices,
  onChange,
}: {
  projectId: string;
  /** Of the step's parameters. */
  schema: ChoiceSchema;
  choices: Choices;
  onChange: (choices: Choices) => void;
}) {
  const usual = PATH.reduce((at, name) => at.properties?.[name] ?? {}, schema).default as number;
  return (
    <ClosedSection title={TEXTS.title}>
      {(isOpen) =>
        isOpen && (
          <Suspense fallback={<Skeleton className="h-80" />}>
            <DetectionView
              projectId={projectId}
              usual={usual}
              value={(valueAt(choices, PATH) as number | undefined) ?? usual}
              onChange={(value) =>
                onChange(withValue(choices, PATH, value === usual ? undefined : value))
              }
            />
          </Suspense>
        )
      }
    </ClosedSection>
  );
}
