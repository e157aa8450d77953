import { Download } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { VALIDATION_TEXTS as TEXTS } from "../../texts/validation.ts";

/** A chart with its name and a way to take it along as a file. Its table stands beside it. */
export function Chart({
  label,
  viewBox,
  fileName,
  children,
}: {
  label: string;
  viewBox: string;
  fileName: string;
  children: ReactNode;
}) {
  const drawing = useRef<SVGSVGElement>(null);
  return (
    <figure>
      <svg
        ref={drawing}
        role="img"
        aria-label={label}
        viewBox={viewBox}
        className="block w-full max-w-xl font-sans"
      >
        {children}
      </svg>
      <Button
        size="sm"
        className="mt-4"
        icon={<Download aria-hidden className="size-4" />}
        onClick={() => {
          if (drawing.current) save(drawing.current, fileName);
        }}
      >
        {TEXTS.download}
      </Button>
    </figure>
  );
}

const PAINT = [
  "fill",
  "stroke",
  "stroke-width",
  "font-size",
  "font-weight",
  "font-family",
] as const;

/** Saves a drawing with the colours it has on the page, which the file could not look up elsewhere. */
function save(drawing: SVGSVGElement, fileName: string): void {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, at) => {
    const original = originals[at];
    if (!original) return;
    const style = getComputedStyle(original);
    for (const name of PAINT) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const file = new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
