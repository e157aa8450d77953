/** Properties that style sheets may set on a shape and that a saved file must contain itself. */
const PAINT = [
  "display",
  "visibility",
  "opacity",
  "color",
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "font-family",
  "font-size",
  "font-style",
  "font-weight",
  "font-variant-numeric",
  "text-anchor",
  "dominant-baseline",
  "shape-rendering",
  "mix-blend-mode",
] as const;
/** These have no attribute of their own in SVG. */
const ONLY_AS_STYLE: ReadonlySet<string> = new Set(["font-variant-numeric", "mix-blend-mode"]);
const NAMESPACE = "http://www.w3.org/2000/svg";

/** Saves a drawing as `name`.svg, with the colors, font, and background it has on the page. */
export function saveSvg(drawing: SVGSVGElement, name: string): void {
  saveFile(new Blob([svgText(drawing)], { type: "image/svg+xml" }), `${name}.svg`);
}

/**
 * Saves a picture as `name`.png. A drawing gets `scale` pixels per CSS pixel and the background it has on the page; a
 * canvas keeps its own pixels. Rejects if the browser cannot draw or write it.
 */
export async function savePng(
  picture: SVGSVGElement | HTMLCanvasElement,
  name: string,
  scale = 2,
): Promise<void> {
  const canvas = picture instanceof SVGSVGElement ? await drawn(picture, scale) : picture;
  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!file) throw new Error("The browser could not save the image.");
  saveFile(file, `${name}.png`);
}

/** A drawing as self-contained SVG file text, with sizes, styles, and background written out. O(elements). */
export function svgText(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const { width, height } = drawing.getBoundingClientRect();
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll<SVGElement>("*")].forEach((element, at) => {
    if (element.tagName === "style") return;
    const computed = getComputedStyle(originals[at]!);
    element.removeAttribute("class");
    element.removeAttribute("style");
    for (const property of PAINT) {
      const value = computed.getPropertyValue(property);
      if (ONLY_AS_STYLE.has(property)) {
        if (value !== "normal") element.style.setProperty(property, value);
      } else element.setAttribute(property, value);
    }
  });
  for (const style of copy.querySelectorAll("style")) style.remove();
  if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  copy.setAttribute("width", `${width}`);
  copy.setAttribute("height", `${height}`);
  copy.setAttribute("xmlns", NAMESPACE);
  copy.prepend(ground(copy.viewBox.baseVal, groundColor(drawing)));
  return new XMLSerializer().serializeToString(copy);
}

/** Hands a file to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  saveFrom(address, name);
  // The browser reads the address once the click is handled; a minute is ample.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Has the browser download an address by itself, as a click on a link does. */
export function saveFrom(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** A name that every file system takes: letters, digits, dots and hyphens. */
export function fileName(...parts: readonly string[]): string {
  return parts
    .map((part) => part.trim().replaceAll(/[^\p{L}\p{N}.]+/gu, "-"))
    .map((part) => part.replaceAll(/^[-.]+|[-.]+$/g, ""))
    .filter(Boolean)
    .join("-");
}

/** Draws the text of an SVG file to a canvas of `scale` pixels for each of its units. */
async function drawn(drawing: SVGSVGElement, scale: number): Promise<HTMLCanvasElement> {
  const { width, height } = drawing.getBoundingClientRect();
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(drawing))}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function ground({ x, y, width, height }: DOMRect, color: string): SVGRectElement {
  const rect = document.createElementNS(NAMESPACE, "rect");
  for (const [name, value] of Object.entries({ x, y, width, height, fill: color }))
    rect.setAttribute(name, `${value}`);
  return rect;
}

/** The first color behind an element. */
function groundColor(element: Element): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor;
    if (color !== "rgba(0, 0, 0, 0)" && color !== "transparent") return color;
  }
  return "#ffffff";
}
