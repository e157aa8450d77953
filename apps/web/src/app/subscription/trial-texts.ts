export const TRIAL_TEXTS = {
  expiresIn: (days: number, hours: number): string =>
    `Trial Expires in ${days} days ${hours} hours`,
  over: "Your trial has expired.",
  warning: "Projects are deleted when the trial ends.",
  overWarning: "Trial projects will be deleted soon.",
  upgrade: "Upgrade Now",
};
