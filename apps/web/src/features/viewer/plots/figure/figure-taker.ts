import { createContext } from "react";
import type { Figure } from "./figure.ts";

/** What takes figures, and why there are none, instead of the page. */
export interface FigureTaker {
  /** `part`: which one, where a plot has several. */
  figure(figure: Figure, part: number): void;
  message(text: string): void;
}

export const FigureTaking = createContext<FigureTaker | null>(null);
