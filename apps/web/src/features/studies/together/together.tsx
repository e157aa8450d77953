import {
  MAX_SECTIONS,
  type SectionLandmarkSet,
  type SectionMatch,
} from "@stipple/contract/routes/study-view";
import { ArrowLeft } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "wouter";
import { errorText } from "../../../app/api.ts";
import { Checkbox } from "../../../components/checkbox.tsx";
import { HelpLink } from "../../../components/help-link.tsx";
import { StatusMessage } from "../../../components/status-message.tsx";
import { ChoiceControls } from "./choice-controls.tsx";
import { FIRST_CHOICE, type Choice } from "./choice.ts";
import { LandmarksPanel } from "./landmarks-panel.tsx";
import type { Marking } from "./marking.ts";
import { SectionGrid } from "./section-grid.tsx";
import { sharedTypes, type SharedTypes } from "./shared-types.ts";
import { SharedLegend } from "./shared-legend.tsx";
import { TOGETHER_TEXTS as TEXTS } from "./texts.ts";
import { useLooks } from "./use-looks.ts";
import { useSections, type OpenSection, type SectionLink } from "./use-sections.ts";
import { useStable } from "../../../app/use-stable.ts";
import { useShownValues } from "./use-shown-values.ts";

/** The study whose sections are shown. */
export interface ShownStudy {
  name: string;
  /** Address of its page. */
  page: string;
  /** Its samples without results. */
  lacking: readonly { name: string }[];
  /** Null for guests, who place no landmarks. */
  own: { id: string; landmarks: readonly SectionLandmarkSet[] } | null;
}

/** Options on the left, sections on the right; on narrow screens the sections come first. */
export function Together({
  study,
  links,
  landmarks,
}: {
  study: ShownStudy;
  links: readonly SectionLink[];
  landmarks: readonly SectionMatch[];
}) {
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    links.slice(0, MAX_SECTIONS).map(({ projectId }) => projectId),
  );
  const [choice, setChoice] = useState<Choice>(FIRST_CHOICE);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [marking, setMarking] = useState<Marking | null>(null);
  const shown = useMemo(
    () => links.filter(({ projectId }) => chosen.includes(projectId)),
    [links, chosen],
  );
  const sections = useSections(shown);
  const opened = useStable(sections.map(({ open }) => open));
  const types = useMemo(() => typesOf(opened), [opened]);
  const genes = useMemo(
    () => [...new Set(opened.flatMap((open) => open?.source.manifest.genes ?? []))],
    [opened],
  );
  const values = useShownValues(sections, choice);
  const looks = useLooks(sections, choice, types, hidden, values);
  return (
    <main className="flex flex-col md:grid md:h-dvh md:grid-cols-[19rem_minmax(0,1fr)] md:grid-rows-[auto_minmax(0,1fr)]">
      <Heading study={study} />
      <aside
        aria-label={TEXTS.controls}
        className="flex min-h-0 flex-col gap-4 overflow-y-auto border-line bg-card px-4 py-3 max-md:order-last max-md:border-t md:border-r"
      >
        <ChoiceControls
          choice={choice}
          genes={genes}
          onChange={(part) => setChoice((before) => ({ ...before, ...part }))}
        />
        <div role="status" className="text-[0.8125rem] text-ink-3 empty:hidden">
          {values.pending && TEXTS.valuesLoading}
        </div>
        {values.error && (
          <StatusMessage failed text={TEXTS.valuesFailed(errorText(values.error))} />
        )}
        <SharedLegend
          {...{ choice, hidden, types: types.types, range: values.range, onHide: setHidden }}
        />
        {!marking && <SectionChoice links={links} chosen={chosen} onChoose={setChosen} />}
        {study.lacking.length > 0 && (
          <p className="text-[0.8125rem] text-ink-3 [overflow-wrap:anywhere]">
            {TEXTS.lacking(study.lacking.map(({ name }) => name).join(", "))}
          </p>
        )}
        {study.own && (
          <LandmarksPanel {...{ study: study.own, sections, marking, onMarking: setMarking }} />
        )}
      </aside>
      <SectionGrid
        {...{ study, sections, looks, types, hidden, choice, landmarks, marking }}
        range={values.range}
        isGuest={study.own === null}
        onMarking={setMarking}
      />
    </main>
  );
}

function Heading({ study }: { study: ShownStudy }) {
  return (
    <header className="border-line bg-card px-4 pt-3 max-md:border-b max-md:pb-2 md:border-r">
      <div className="flex items-center justify-between gap-2">
        <Link
          to={study.page}
          className="inline-flex min-h-6 items-center gap-1.5 rounded text-[0.8125rem] font-medium text-primary hover:underline"
        >
          <ArrowLeft aria-hidden className="size-4" />
          {TEXTS.back}
        </Link>
        <HelpLink page="studies" />
      </div>
      <h1 className="mt-1 text-lg [overflow-wrap:anywhere]">{TEXTS.title(study.name)}</h1>
    </header>
  );
}

function typesOf(opened: readonly (OpenSection | undefined)[]): SharedTypes {
  return sharedTypes(
    opened.map((open) => ({
      types: open?.source.manifest.types ?? [],
      typeNames: open?.typeNames ?? new Map(),
    })),
  );
}

/** Which sections are shown: at most eight. */
function SectionChoice({
  links,
  chosen,
  onChoose,
}: {
  links: readonly SectionLink[];
  chosen: readonly string[];
  onChoose: (chosen: readonly string[]) => void;
}) {
  const isFull = chosen.length >= MAX_SECTIONS;
  return (
    <fieldset className="text-[0.8125rem]">
      <legend className="font-semibold">{TEXTS.sections}</legend>
      {links.length > MAX_SECTIONS && (
        <p className="text-ink-3">{TEXTS.sectionsHint(MAX_SECTIONS)}</p>
      )}
      <div className="mt-1 max-h-60 overflow-y-auto">
        {links.map(({ projectId, name }) => {
          const isChosen = chosen.includes(projectId);
          return (
            <Checkbox
              key={projectId}
              className="gap-2 py-1"
              checked={isChosen}
              // One section stays.
              disabled={isChosen ? chosen.length === 1 : isFull}
              onCheck={() =>
                onChoose(
                  links
                    .map((link) => link.projectId)
                    .filter((id) => (id === projectId ? !isChosen : chosen.includes(id))),
                )
              }
            >
              <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
            </Checkbox>
          );
        })}
      </div>
    </fieldset>
  );
}
