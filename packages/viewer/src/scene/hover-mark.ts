const NAMESPACE = "http://www.w3.org/2000/svg";

/** A ring around one cell, overlaid on the drawing so that marking another cell does not redraw all cells. */
export interface HoverMark {
  /** The outline's vertices (CSS px, x and y alternating, closed), a circle, or nothing. */
  show(shape: { ring: ArrayLike<number> } | { x: number; y: number; radius: number } | null): void;
}

export function hoverMark(parent: HTMLElement): HoverMark {
  const svg = parent.appendChild(document.createElementNS(NAMESPACE, "svg"));
  svg.setAttribute("aria-hidden", "true");
  svg.style.cssText =
    "position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none;";
  // A light line on a dark one is visible on any tissue.
  const lines = (
    [
      ["#0f1b2a", 5],
      ["#ffffff", 2.5],
    ] as const
  ).map(([color, width]) => {
    const path = svg.appendChild(document.createElementNS(NAMESPACE, "path"));
    path.setAttribute("fill", "none");
    path.setAttribute("stroke", color);
    path.setAttribute("stroke-width", `${width}`);
    path.setAttribute("stroke-linejoin", "round");
    return path;
  });
  let shown = "";
  return {
    show(shape) {
      const path = shape === null ? "" : "ring" in shape ? ringPath(shape.ring) : circlePath(shape);
      if (path === shown) return;
      shown = path;
      for (const line of lines) line.setAttribute("d", path);
    },
  };
}

function ringPath(ring: ArrayLike<number>): string {
  let path = "";
  for (let at = 0; at + 1 < ring.length; at += 2)
    path += `${at === 0 ? "M" : "L"}${ring[at]!.toFixed(1)} ${ring[at + 1]!.toFixed(1)}`;
  return `${path}Z`;
}

function circlePath({ x, y, radius }: { x: number; y: number; radius: number }): string {
  const r = radius.toFixed(1);
  const half = (to: number) => `A${r} ${r} 0 0 1 ${to.toFixed(1)} ${y.toFixed(1)}`;
  return `M${(x - radius).toFixed(1)} ${y.toFixed(1)}${half(x + radius)}${half(x - radius)}Z`;
}
