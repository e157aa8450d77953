import { MAX_SECTIONS } from "@stipple/contract/routes/study-view";
import { TOGETHER_TEXTS as TEXTS } from "./texts.ts";
import type { SectionLink } from "./use-sections.ts";

/** Which sections are shown: at most eight. */
export function SectionChoice({
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
            <label key={projectId} className="flex items-center gap-2 py-1">
              <input
                type="checkbox"
                checked={isChosen}
                // One section stays.
                disabled={isChosen ? chosen.length === 1 : isFull}
                onChange={() =>
                  onChoose(
                    links
                      .map((link) => link.projectId)
                      .filter((id) => (id === projectId ? !isChosen : chosen.includes(id))),
                  )
                }
                className="size-4 shrink-0 accent-primary"
              />
              <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
