import { Download } from "lucide-react";
import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { Button } from "../../components/button.tsx";
import { savePng, saveSvg } from "../../components/save-drawing.ts";
import { VALIDATION_TEXTS as TEXTS } from "./texts.ts";

/** Pixels of a saved picture for each pixel on the page: enough for print. */
const PNG_SCALE = 3;

/**
 * A chart with its name and a button to save it as a file. Its table is next to it. It is drawn in pixels for the
 * available width, so that text has the same size everywhere.
 */
export function Chart({
  label,
  fileName,
  height,
  children,
}: {
  label: string;
  /** Without its extension. */
  fileName: string;
  height: number;
  children: (width: number) => ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const width = useWidth(frame);
  const save = (how: (drawing: SVGSVGElement, name: string) => void) => () => {
    if (drawing.current) how(drawing.current, fileName);
  };
  return (
    <figure>
      <div ref={frame} className="max-w-2xl" style={{ height }}>
        <svg
          ref={drawing}
          role="img"
          aria-label={label}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          className="block font-sans"
        >
          {children(width)}
        </svg>
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        {[
          { name: TEXTS.downloadSvg, how: saveSvg },
          {
            name: TEXTS.downloadPng,
            how: (svg: SVGSVGElement, name: string) => void savePng(svg, name, PNG_SCALE),
          },
        ].map(({ name, how }) => (
          <Button
            key={name}
            size="sm"
            aria-label={`${name}: ${label}`}
            icon={<Download aria-hidden className="size-4" />}
            onClick={save(how)}
          >
            {name}
          </Button>
        ))}
      </div>
    </figure>
  );
}

/** Width of an element in whole pixels, kept current. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(320);
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const look = (): void => setWidth(Math.max(240, Math.floor(target.clientWidth)));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
