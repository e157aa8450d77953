/** The first letters of a text. A character of two (😀) is not cut in half: databases and names refuse a half. */
export function shortened(text: string, letters: number): string {
  return text.slice(0, letters).replace(/\p{Cs}$/u, "");
}
