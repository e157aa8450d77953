/** The color of something in a list or legend; `className` gives its size and shape. */
export function Swatch({ color, className }: { color: string; className: string }) {
  return <span aria-hidden className={className} style={{ backgroundColor: color }} />;
}
