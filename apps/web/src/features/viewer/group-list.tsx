import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import { joinClasses } from "../../components/join-classes.ts";
import { viewerTexts } from "../../texts/viewer.ts";

/** Cell types or clusters with their colours and counts; each can be hidden or shown alone. */
export function GroupList({
  label,
  groups,
  hidden,
  onChange,
}: {
  label: string;
  groups: ViewerManifest["types"];
  hidden: ReadonlySet<number>;
  onChange: (hidden: ReadonlySet<number>) => void;
}) {
  const all = groups.reduce((sum, { count }) => sum + count, 0);
  const allIndices = groups.map((_, index) => index);

  function toggle(index: number): void {
    const next = new Set(hidden);
    if (!next.delete(index)) next.add(index);
    onChange(next);
  }

  return (
    <section aria-label={label}>
      <div className="mb-1.5 flex items-center justify-between">
        <h2 className="text-[0.8125rem] font-medium text-ink-2">
          {label} <span className="font-normal text-ink-3">({groups.length})</span>
        </h2>
        <button
          type="button"
          className="rounded px-1.5 py-0.5 text-[0.8125rem] font-medium text-primary hover:bg-raised"
          onClick={() => onChange(hidden.size === 0 ? new Set(allIndices) : new Set())}
        >
          {hidden.size === 0 ? viewerTexts.hideAll : viewerTexts.showAll}
        </button>
      </div>
      <ul className="-mx-2">
        {groups.map(({ name, color, count }, index) => (
          <li
            key={index}
            className="group relative flex items-center gap-1 rounded-control pr-2 hover:bg-raised"
          >
            <label className="flex min-w-0 flex-1 cursor-pointer items-center gap-2.5 py-1.5 pl-2">
              <input
                type="checkbox"
                checked={!hidden.has(index)}
                onChange={() => toggle(index)}
                className="peer sr-only"
              />
              <span
                aria-hidden
                className="size-3.5 shrink-0 rounded-[4px] border peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-primary"
                style={{
                  borderColor: color,
                  backgroundColor: hidden.has(index) ? "transparent" : color,
                }}
              />
              <span
                className={joinClasses(
                  "min-w-0 flex-1 truncate",
                  hidden.has(index) && "text-ink-3 line-through",
                )}
                title={name}
              >
                {name}
              </span>
            </label>
            <button
              type="button"
              aria-label={viewerTexts.onlyOf(name)}
              onClick={() => onChange(new Set(allIndices.filter((other) => other !== index)))}
              className="absolute right-14 rounded bg-raised px-2 py-0.5 text-xs font-medium text-primary opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:static pointer-coarse:opacity-100"
            >
              {viewerTexts.only}
            </button>
            <span className="w-14 shrink-0 text-right text-[0.8125rem] text-ink-2">
              {count.toLocaleString("en-US")}
            </span>
            <span className="w-11 shrink-0 text-right text-xs text-ink-3">
              {all > 0 ? `${((100 * count) / all).toFixed(1)}%` : ""}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
