const NAMESPACE = "http://www.w3.org/2000/svg";
/** Pixels for each unit of the drawing: 600 dpi where the units are points. */
const SCALE = 600 / 72;

/** The drawing with pictures, in fonts of this computer, in place of texts whose letters the file's font lacks. */
export function withPicturedText(svg: string, canWrite: (text: string) => boolean): string {
  if (canWrite(svg)) return svg;
  // Only what is on a page has a size.
  const frame = document.createElement("div");
  frame.style.cssText = "position: fixed; top: 0; left: -99999px";
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  frame.append(document.importNode(parsed.documentElement, true));
  document.body.append(frame);
  try {
    for (const text of frame.querySelectorAll("text")) {
      if (!canWrite(text.textContent)) text.replaceWith(picturesOf(text));
    }
    return new XMLSerializer().serializeToString(frame.firstElementChild!);
  } finally {
    frame.remove();
  }
}

/** A picture of each line. */
function picturesOf(text: SVGTextElement): SVGGElement {
  const group = document.createElementNS(NAMESPACE, "g");
  const transform = text.getAttribute("transform");
  if (transform) group.setAttribute("transform", transform);
  const lines = [...text.querySelectorAll("tspan")].filter((line) => line.textContent !== "");
  group.append(...(lines.length > 0 ? lines : [text]).map(pictureOf));
  return group;
}

function pictureOf(line: SVGTextContentElement): SVGImageElement {
  const { fontWeight, fontSize, fontFamily, fill, stroke, strokeWidth } = getComputedStyle(line);
  const height = 2 * Number.parseFloat(fontSize);
  const { x: from, y } = line.getStartPositionOfChar(0);
  // Some scripts run to the left.
  const x = Math.min(from, line.getEndPositionOfChar(line.getNumberOfChars() - 1).x);
  // Letters reach beyond the line's ends, and so does an edge.
  const box = {
    x: x - height / 4,
    y: y - 0.65 * height,
    width: line.getComputedTextLength() + height / 2,
    height,
  };
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(box.width * SCALE);
  canvas.height = Math.ceil(box.height * SCALE);
  const context = canvas.getContext("2d")!;
  context.scale(canvas.width / box.width, canvas.height / box.height);
  context.translate(-box.x, -box.y);
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  if (stroke !== "none") {
    Object.assign(context, {
      strokeStyle: stroke,
      lineWidth: Number.parseFloat(strokeWidth),
      lineJoin: "round",
    });
    context.strokeText(line.textContent, x, y);
  }
  if (fill !== "none") {
    context.fillStyle = fill;
    context.fillText(line.textContent, x, y);
  }
  const picture = document.createElementNS(NAMESPACE, "image");
  for (const [name, value] of Object.entries({ ...box, href: canvas.toDataURL() }))
    picture.setAttribute(name, `${value}`);
  return picture;
}
