export const choiceTexts = {
  title: "Settings and parameters",
  hint: "The defaults suit most samples. Only the steps affected by a change run again.",
  settings: "Settings",
  loading: "Loading",
  failed: "The settings could not be loaded.",
  retry: "Try again",
  changed: (count: number) => (count === 1 ? "1 changed" : `${count} changed`),
  reset: "Reset to defaults",
  usual: (value: unknown) =>
    value === undefined || value === null ? "Automatic" : `Default (${choiceTexts.option(value)})`,
  option: (value: unknown): string =>
    value === true ? "Yes" : value === false ? "No" : String(value).replaceAll("_", " "),
} as const;
