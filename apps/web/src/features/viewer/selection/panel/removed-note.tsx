import { useEffect, useRef } from "react";

/** Says what was removed, with a button that brings it back and gets the focus: the pressed one no longer exists. */
export function RemovedNote({
  removed,
  text,
  undo,
  onUndo,
}: {
  removed: object;
  text: string;
  undo: string;
  onUndo: () => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), [removed]);
  return (
    <p role="status" className="flex items-center gap-2 text-[0.8125rem] text-ink-2">
      <span className="min-w-0 truncate">{text}</span>
      <button
        ref={button}
        type="button"
        onClick={onUndo}
        className="shrink-0 rounded font-medium text-primary hover:underline"
      >
        {undo}
      </button>
    </p>
  );
}
