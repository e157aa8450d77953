import { shortened as firstLetters } from "@stipple/contract/shortened";

let context: CanvasRenderingContext2D | null | undefined;

/** Width of a text in the page's font, px. */
export function textWidth(text: string, fontSize: number): number {
  context ??= globalThis.document?.createElement("canvas").getContext("2d");
  if (!context) return 0.6 * fontSize * text.length;
  context.font = `${fontSize}px "Inter Variable", sans-serif`;
  return context.measureText(text).width;
}

/** The text, truncated with "…" to at most `width` px. */
export function shortened(text: string, width: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  const cut = (length: number) => `${firstLetters(text, length).trimEnd()}…`;
  let length = text.length - 1;
  while (length > 1 && textWidth(cut(length), fontSize) > width) length -= 1;
  return cut(length);
}

/** Wraps a text at spaces into lines of at most `width` px. */
export function lines(text: string, width: number, fontSize: number): string[] {
  const found: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && textWidth(longer, fontSize) > width) {
      found.push(line);
      line = word;
    } else line = longer;
  }
  return [...found, line];
}
