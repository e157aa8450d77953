export const GUEST_TEXTS = {
  title: "Shared study",
  text: (expiresAt: string): string =>
    `You opened a shared link. You can look at everything here, but only the study's owner can change it. The link works until ${expiresAt}.`,
  designText: "What each sample is. Its name opens its interactive view.",
  openView: (sample: string): string => `Open the interactive view of ${sample}`,
  loadFailed: "Failed to load the study. Please try again.",
  endTitle: "This link doesn't open a study",
  /** Why a link does not open, by the server's code. */
  ends: {
    visualization_expired: "It has expired. Ask the study's owner for a new one.",
    share_link_revoked:
      "The study's owner revoked it or replaced a sample. Ask them for a new one.",
    study_not_found: "The study has been deleted.",
    trial_ended: "The trial of the study's owner has ended, so its results are closed.",
    subscription_expired:
      "The plan of the study's owner has ended. The link works again when they choose one.",
    not_found: "It may have been cut off when someone copied it.",
  } as Readonly<Record<string, string>>,
};
