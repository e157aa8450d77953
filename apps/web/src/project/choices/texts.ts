export const choiceTexts = {
  title: "Settings and parameters",
  hint: "The defaults suit most samples. Only the steps that a change affects run again.",
  settings: "Settings",
  loading: "Loading",
  failed: "We couldn't load the settings.",
  retry: "Try again",
  changed: (count: number) => (count === 1 ? "1 changed" : `${count} changed`),
  reset: "Reset to defaults",
  usual: (value: unknown) =>
    value === undefined || value === null ? "Automatic" : `Default (${choiceTexts.option(value)})`,
  option: (value: unknown): string =>
    value === true
      ? "Yes"
      : value === false
        ? "No"
        : (OPTIONS[String(value)] ?? String(value).replaceAll("_", " ")),
} as const;

/** Options whose stored names say too little. */
const OPTIONS: Readonly<Record<string, string>> = {
  network: "Neural network (recommended)",
  space_ranger: "Space Ranger outlines",
};
