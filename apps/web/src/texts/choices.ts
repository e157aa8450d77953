export const choiceTexts = {
  title: "Settings and parameters",
  hint: "Everything has a default that suits most samples. Only the steps that a change affects run again.",
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
