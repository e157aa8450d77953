import { markupText } from "@stipple/contract/markup";
import { shortened } from "@stipple/contract/shortened";

export interface TextStyle {
  /** Font size, px. */
  size: number;
  weight?: 400 | 600;
  color?: string;
  anchor?: "start" | "middle" | "end";
  /** White outline, for text on a picture. */
  halo?: boolean;
}

/** One line of text with its baseline at y. */
export function svgText(x: number, y: number, text: string, style: TextStyle): string {
  const { size, weight = 400, color = "#0f1b2a", anchor = "start", halo = false } = style;
  const drawn = (outline: string): string =>
    `<text x="${round(x)}" y="${round(y)}" font-family="Inter, sans-serif" font-size="${round(size)}" font-weight="${weight}" fill="${color}" text-anchor="${anchor}"${outline}>${markupText(text)}</text>`;
  if (!halo) return drawn("");
  // Below the text as an element of its own: not every program knows `paint-order`, and in PDF it would cover the text.
  const outline = `stroke="#ffffff" stroke-width="${size * 0.22}" stroke-linejoin="round"`;
  return `${drawn(` ${outline}`)}\n${drawn("")}`;
}

/** Two decimals are finer than a printed dot, and keep files with many shapes small. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Room for the longest of these texts in one line, px; a capital letter of Inter is about 0.62 em wide. */
export function widest(texts: readonly string[], size: number): number {
  return Math.max(0, ...texts.map((text) => text.length)) * size * 0.62;
}

/** Shortens a text to the given width, px; a letter of Inter is about 0.52 em wide. */
export function fitText(text: string, size: number, width: number): string {
  // A width that was computed for a text may lack a rounding error.
  const longest = Math.max(4, Math.floor(width / (size * 0.52) + 1e-6));
  return text.length <= longest ? text : `${shortened(text, longest - 1)}…`;
}
