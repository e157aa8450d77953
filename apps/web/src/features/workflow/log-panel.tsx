import { useEffect, useRef } from "react";
import { workflowTexts } from "../../texts/analysis.ts";

/** The last lines of the run's log; follows its end unless the reader has scrolled up. */
export function LogPanel({ lines }: { lines: readonly string[] }) {
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  const count = lines.length;
  useEffect(() => {
    const element = box.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [count]);
  return (
    <pre
      ref={box}
      tabIndex={0}
      aria-label={workflowTexts.log}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
      }}
      className="h-72 overflow-auto rounded-control bg-canvas p-4 font-mono text-xs leading-5 whitespace-pre-wrap text-ink-2 [overflow-wrap:anywhere] lg:h-[31.5rem]"
    >
      {count === 0 ? (
        <span className="font-sans text-ink-3">{workflowTexts.logEmpty}</span>
      ) : (
        lines.join("\n")
      )}
    </pre>
  );
}
