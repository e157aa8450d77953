/** How lines of the log look: for people on a terminal and for programs elsewhere (`auto`), or always for one of them. */
export const LOG_FORMATS = ["auto", "json", "text"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];
