const PAINT = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-size",
  "font-weight",
  "font-family",
  "opacity",
] as const;
/** Pixels of the picture for each pixel on the page. */
const PNG_SCALE = 3;

/** Saves a drawing with the colours that it has on the page, which the file could not look up elsewhere. */
export function saveSvg(drawing: SVGSVGElement, name: string): void {
  saveFile(new Blob([asText(drawing)], { type: "image/svg+xml" }), `${name}.svg`);
}

/** Saves a drawing as a picture on the colour of the page, three times as fine as on the page. */
export function savePng(drawing: SVGSVGElement, name: string): void {
  const picture = new Image();
  const source = URL.createObjectURL(new Blob([asText(drawing)], { type: "image/svg+xml" }));
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = drawing.clientWidth * PNG_SCALE;
    canvas.height = drawing.clientHeight * PNG_SCALE;
    const context = canvas.getContext("2d");
    if (!context) return;
    context.fillStyle = getComputedStyle(drawing).getPropertyValue("--card");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(source);
    canvas.toBlob((file) => file && saveFile(file, `${name}.png`), "image/png");
  };
  picture.src = source;
}

function asText(drawing: SVGSVGElement): string {
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
  return new XMLSerializer().serializeToString(copy);
}

function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
