import type { SectionLandmarkSet } from "@stipple/contract/routes/study-view";
import { lengthText } from "@stipple/viewer/geometry";
import { X } from "lucide-react";
import { longDate } from "../../../app/long-date.ts";
import { Button } from "../../../components/button.tsx";
import { Options, SelectField } from "../../../components/field.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { StatusMessage } from "../../../components/status-message.tsx";
import { distanceOf, markingOf, type Marking } from "./marking.ts";
import { LANDMARK_TEXTS as TEXTS } from "./texts.ts";
import { useSavedLandmarks } from "./use-views.ts";
import type { Section } from "./use-sections.ts";

interface PanelProps {
  study: { id: string; landmarks: readonly SectionLandmarkSet[] };
  sections: readonly Section[];
  marking: Marking | null;
  onMarking: (marking: Marking | null) => void;
}

/** How serial sections lie on each other: landmarks that people placed on two of them. */
export function LandmarksPanel(props: PanelProps) {
  const { study, sections, marking, onMarking } = props;
  const saving = useSavedLandmarks(study.id);
  const [first, second] = sections;
  const nameOf = (id: string): string | undefined =>
    sections.find(({ projectId }) => projectId === id)?.name;
  if (!first || !second) return null;
  return (
    <section aria-label={TEXTS.title} className="flex flex-col gap-2 text-[0.8125rem]">
      <h2 className="font-semibold">{TEXTS.title}</h2>
      {marking ? (
        <MarkingForm {...props} marking={marking} saving={saving} />
      ) : (
        <>
          <p className="text-ink-3">{TEXTS.text}</p>
          {study.landmarks.map(({ between, points, author, at }) => {
            const [a, b] = between.map(nameOf);
            if (a === undefined || b === undefined) return null;
            return (
              <div key={between.join()} className="border-l-2 border-line pl-2">
                <p className="font-medium [overflow-wrap:anywhere]">{TEXTS.matched(a, b)}</p>
                <p className="text-ink-3 [overflow-wrap:anywhere]">
                  {TEXTS.by(points.length, author, longDate(at))}
                </p>
                <div className="flex gap-1">
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-label={TEXTS.edit(a, b)}
                    onClick={() => onMarking(markingOf(between, study.landmarks))}
                  >
                    {TEXTS.editShort}
                  </Button>
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-label={TEXTS.removeAll(a, b)}
                    onClick={() => saving.mutate({ between, points: [] })}
                  >
                    {TEXTS.removeShort}
                  </Button>
                </div>
              </div>
            );
          })}
          {saving.failure !== null && <StatusMessage failed text={saving.failure} />}
          <Button
            size="sm"
            onClick={() =>
              onMarking(markingOf([first.projectId, second.projectId], study.landmarks))
            }
          >
            {TEXTS.start}
          </Button>
        </>
      )}
    </section>
  );
}

function MarkingForm({
  study,
  sections,
  marking,
  onMarking,
  saving,
}: PanelProps & { marking: Marking; saving: ReturnType<typeof useSavedLandmarks> }) {
  const { between, points, half } = marking;
  const distancePx = distanceOf(points);
  const second = sections.find(({ projectId }) => projectId === between[1])?.open;
  const um = (distancePx ?? 0) * (second?.source.manifest.micronsPerPixel ?? 0);
  const choose = (side: 0 | 1, id: string): void => {
    const other = between[1 - side] === id ? between[side]! : between[1 - side]!;
    onMarking(markingOf(side === 0 ? [id, other] : [other, id], study.landmarks));
  };
  return (
    <>
      {([0, 1] as const).map((side) => (
        <SelectField
          key={side}
          label={side === 0 ? TEXTS.first : TEXTS.second}
          value={between[side]}
          onValue={(value) => choose(side, value)}
        >
          <Options of={sections.map(({ projectId, name }) => [projectId, name])} />
        </SelectField>
      ))}
      <p role="status">{half ? TEXTS.half : TEXTS.how}</p>
      <ul>
        {points.map((_, at) => (
          <li key={at} className="flex items-center justify-between">
            {TEXTS.pair(at + 1)}
            <IconButton
              size="sm"
              icon={X}
              label={TEXTS.remove(at + 1)}
              onClick={() =>
                onMarking({ ...marking, points: points.filter((__, other) => other !== at) })
              }
            />
          </li>
        ))}
      </ul>
      <p className="text-ink-3">
        {distancePx === null ? TEXTS.few : TEXTS.distance(lengthText(um))}
      </p>
      {saving.failure !== null && <StatusMessage failed text={saving.failure} />}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          variant="primary"
          disabled={distancePx === null}
          busy={saving.isPending}
          onClick={() =>
            saving.mutate(
              { between: [...between], points: [...points] },
              { onSuccess: () => onMarking(null) },
            )
          }
        >
          {TEXTS.save}
        </Button>
        <Button size="sm" onClick={() => onMarking(null)}>
          {TEXTS.cancel}
        </Button>
      </div>
    </>
  );
}
