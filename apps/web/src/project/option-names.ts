/** Short names of an analysis's options. */
export const OPTION_NAMES = {
  if: "IF",
  hAndE: "H&E",
  basic: "Basic",
  advanced: "Advanced",
} as const;
