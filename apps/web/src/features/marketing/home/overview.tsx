import { HOME_TEXTS, STAGES } from "./texts.ts";
import { Section } from "../section.tsx";
import { STILLS } from "../tissue/draw-scene.ts";
import { OverviewVideo } from "./overview-video.tsx";
import { TissueCanvas } from "../tissue/tissue-canvas.tsx";

const PICTURES = [STILLS.spots, STILLS.nuclei, STILLS.cells];

/** The overview: the video, and three captioned pictures of what happens to a tissue. */
export function Overview() {
  return (
    <Section title={HOME_TEXTS.overviewTitle} text={HOME_TEXTS.overviewText}>
      <OverviewVideo />
      <ol className="grid gap-6 md:grid-cols-3">
        {STAGES.map(({ title, text, alt }, at) => (
          <li key={title}>
            <TissueCanvas
              label={alt}
              {...(PICTURES[at] && { still: PICTURES[at] })}
              className="block aspect-square w-full rounded-card border border-line"
            />
            <h3 className="mt-4 text-base">
              {at + 1}. {title}
            </h3>
            <p className="mt-1 text-ink-2">{text}</p>
          </li>
        ))}
      </ol>
      <p className="mt-6 text-[0.8125rem] text-ink-3">{HOME_TEXTS.illustration}</p>
    </Section>
  );
}
