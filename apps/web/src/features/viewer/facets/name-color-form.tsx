import { useState } from "react";
import { viewerTexts } from "../texts.ts";

/** Edits a list item's name and, if it has one, its color. The color applies immediately, the name on Enter; Escape cancels. */
export function NameColorForm({
  name: firstName,
  color,
  nameLabel,
  maxLength,
  onName,
  onDone,
}: {
  name: string;
  /** `value`: #rrggbb */
  color?: { value: string; label: string; onChange: (color: string) => void };
  nameLabel: string;
  maxLength: number;
  onName: (name: string) => void;
  onDone: () => void;
}) {
  const [name, setName] = useState(firstName);
  return (
    <form
      className="flex items-center gap-2 rounded-control bg-raised p-2"
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onName(name);
        onDone();
      }}
    >
      {color && (
        <input
          type="color"
          aria-label={color.label}
          value={color.value}
          onChange={(event) => color.onChange(event.target.value)}
          className="size-8 shrink-0 cursor-pointer rounded border border-line-input bg-card p-0.5"
        />
      )}
      <input
        autoFocus
        aria-label={nameLabel}
        value={name}
        maxLength={maxLength}
        onChange={(event) => setName(event.target.value)}
        className="h-8 min-w-0 flex-1 rounded-control border border-line-input bg-card px-2 text-ink"
      />
      <button
        type="submit"
        className="h-8 rounded-control px-2 text-[0.8125rem] font-medium text-primary hover:bg-card"
      >
        {viewerTexts.editDone}
      </button>
    </form>
  );
}
