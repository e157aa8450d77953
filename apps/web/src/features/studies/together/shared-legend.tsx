import type { ValueRange } from "@stipple/viewer/cells";
import { joinClasses } from "../../../components/join-classes.ts";
import { Swatch } from "../../../components/swatch.tsx";
import { ValueScale } from "../../../project/view/value-scale.tsx";
import { valueName, type Choice } from "./choice.ts";
import type { SharedType } from "./shared-types.ts";
import { TOGETHER_TEXTS as TEXTS } from "./texts.ts";

/** What the colors of all sections mean. */
export function SharedLegend({
  choice,
  range,
  types,
  hidden,
  onHide,
}: {
  choice: Choice;
  range: ValueRange | undefined;
  types: readonly SharedType[];
  hidden: ReadonlySet<string>;
  onHide: (hidden: ReadonlySet<string>) => void;
}) {
  if (choice.by === "type") return <TypeList types={types} hidden={hidden} onHide={onHide} />;
  const name = valueName(choice);
  if (!name || !range) return null;
  return (
    <section aria-label={name.title} className="text-[0.8125rem]">
      <h2 className="font-semibold [overflow-wrap:anywhere]">{name.title}</h2>
      <p className="text-ink-3">{name.note}</p>
      <ValueScale range={range} quantiles={choice.quantiles} />
      {choice.by === "gene" && (
        <p className="mt-1 flex items-center gap-1.5 text-ink-3">
          <span aria-hidden className="inline-block size-2 rounded-full bg-[#c9d1da]" />
          {TEXTS.gray}
        </p>
      )}
    </section>
  );
}

function TypeList({
  types,
  hidden,
  onHide,
}: {
  types: readonly SharedType[];
  hidden: ReadonlySet<string>;
  onHide: (hidden: ReadonlySet<string>) => void;
}) {
  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    onHide(next);
  };
  return (
    <section aria-label={TEXTS.types}>
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-[0.8125rem] font-semibold">{TEXTS.types}</h2>
        {hidden.size > 0 && (
          <button
            type="button"
            className="rounded px-1.5 text-[0.8125rem] font-medium text-primary hover:bg-raised"
            onClick={() => onHide(new Set())}
          >
            {TEXTS.showAll}
          </button>
        )}
      </div>
      <p className="text-xs text-ink-3">{TEXTS.typesHint}</p>
      <ul className="mt-1 max-md:max-h-40 max-md:overflow-y-auto">
        {types.map(({ name, color, count }) => (
          <li key={name}>
            <button
              type="button"
              aria-pressed={!hidden.has(name)}
              onClick={() => toggle(name)}
              className={joinClasses(
                "flex w-full items-center gap-2 rounded px-1 py-1 text-left text-[0.8125rem] hover:bg-raised",
                hidden.has(name) && "text-ink-3 line-through",
              )}
            >
              <Swatch
                color={color}
                className={joinClasses(
                  "size-2.5 shrink-0 rounded-[3px]",
                  hidden.has(name) && "opacity-30",
                )}
              />
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{name}</span>
              <span className="text-ink-3 tabular-nums">{count.toLocaleString("en-US")}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
