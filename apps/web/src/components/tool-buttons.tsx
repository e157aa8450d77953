import type { LucideIcon } from "lucide-react";
import type { Ref } from "react";
import { joinClasses } from "./join-classes.ts";

/** Buttons of which one is pressed, or none. */
export function ToolButtons<Tool extends string>({
  ref,
  label,
  tools,
  pressed,
  names,
  keys,
  className,
  buttonClass,
  onPress,
}: {
  ref?: Ref<HTMLDivElement>;
  label: string;
  tools: readonly (readonly [Tool, LucideIcon])[];
  pressed: string;
  names: Readonly<Record<Tool, string>>;
  /** What is pressed on the keyboard instead; buttons without keys show their names. */
  keys?: Readonly<Record<Tool, string>>;
  className: string;
  buttonClass: string;
  onPress: (tool: Tool) => void;
}) {
  return (
    <div ref={ref} role="group" aria-label={label} className={className}>
      {tools.map(([tool, Icon]) => (
        <button
          key={tool}
          type="button"
          aria-label={names[tool]}
          aria-pressed={tool === pressed}
          aria-keyshortcuts={keys?.[tool] || undefined}
          title={keys && names[tool] + (keys[tool] ? ` (${keys[tool]})` : "")}
          onClick={() => onPress(tool)}
          className={joinClasses(
            "border-line text-ink-2 hover:bg-raised hover:text-ink aria-pressed:bg-primary-tint aria-pressed:text-primary",
            buttonClass,
          )}
        >
          <Icon aria-hidden className="size-4" />
          {!keys && names[tool]}
        </button>
      ))}
    </div>
  );
}
