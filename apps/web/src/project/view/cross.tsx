/** Lines around a point that leave it free, visible on any tissue; part of a drawing. */
export function Cross() {
  const d = "M-12 0H-4M4 0H12M0-12V-4M0 4V12";
  return (
    <g fill="none">
      <path d={d} stroke="#fff" strokeWidth="4" />
      <path d={d} stroke="#0f1b2a" strokeWidth="2" />
    </g>
  );
}

/** Marks the middle of a view, where keys place points, while keys move it: the view is the `peer` before it. */
export function MiddleMark() {
  return (
    <svg
      aria-hidden
      viewBox="-12 -12 24 24"
      className="pointer-events-none invisible absolute top-1/2 left-1/2 size-6 -translate-1/2 peer-focus-visible:visible"
    >
      <Cross />
    </svg>
  );
}
