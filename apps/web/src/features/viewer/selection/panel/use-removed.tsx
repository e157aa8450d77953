import { useEffect, useRef, useState, type ReactNode } from "react";
import { annotationTexts } from "../../annotations/texts.ts";

interface Removed {
  /** What was removed, in a sentence. */
  text: string;
  restore: () => void;
}

/** Says below a list what was removed last, once told, with a button that brings it back. */
export function useRemoved(): { note: ReactNode; tellRemoved: (removed: Removed) => void } {
  const [removed, setRemoved] = useState<Removed | null>(null);
  const note = removed && <RemovedNote removed={removed} onEnd={() => setRemoved(null)} />;
  return { note, tellRemoved: setRemoved };
}

/** Its button gets the focus: the pressed one no longer exists. */
function RemovedNote({ removed, onEnd }: { removed: Removed; onEnd: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), [removed]);
  return (
    <p role="status" className="flex items-center gap-2 text-[0.8125rem] text-ink-2">
      <span className="min-w-0 truncate">{removed.text}</span>
      <button
        ref={button}
        type="button"
        onClick={() => {
          removed.restore();
          onEnd();
        }}
        className="shrink-0 rounded font-medium text-primary hover:underline"
      >
        {annotationTexts.undo}
      </button>
    </p>
  );
}
