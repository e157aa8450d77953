/** Format of log lines: text on a terminal and JSON elsewhere (`auto`), or always one of them. */
export const LOG_FORMATS = ["auto", "json", "text"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];
