import { useEffect, useRef } from "react";
import { joinClasses } from "../components/join-classes.ts";
import { runTexts } from "./texts.ts";

/** The last lines of the run's log; follows its end unless the reader has scrolled up. */
export function LogPanel({
  lines,
  className = "h-72 lg:h-[48.75rem]",
}: {
  lines: readonly string[];
  /** Its height. */
  className?: string;
}) {
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
      aria-label={runTexts.log}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
      }}
      className={joinClasses(
        "overflow-auto rounded-control bg-canvas p-4 font-mono text-xs leading-5 whitespace-pre-wrap text-ink-2 [overflow-wrap:anywhere]",
        className,
      )}
    >
      {count === 0 ? (
        <span className="font-sans text-ink-3">{runTexts.logEmpty}</span>
      ) : (
        lines.join("\n")
      )}
    </pre>
  );
}
