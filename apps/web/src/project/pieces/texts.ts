import { counted } from "@stipple/contract/counted";

/** Sentences about pieces of tissue that lie apart on a slide. */
export const pieceTexts = {
  found: (count: number) => `This slide has ${count} pieces of tissue.`,
  hint: "If they are different samples, such as two sections or the cores of a tissue microarray, analyze each in a separate project.",
  split: "Split into samples…",
  title: (count: number) => `Split into ${count} samples?`,
  about:
    "Each piece becomes a project with the same files, which are not uploaded again. Each new project analyzes only its own piece. This project does not change.",
  counts: (count: number) =>
    `The first run of each new project uses one of your analyses: ${count} in all.`,
  left: (remaining: string) => `Your plan has ${remaining} left.`,
  spots: (spots: number, noun: string) => counted(spots, noun),
  confirm: "Create projects",
  cancel: "Cancel",
  failed: "The server didn't answer. Try again.",
  open: "Open projects",
};
