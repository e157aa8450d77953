import { momentText } from "../../app/long-date.ts";

/** Copying, and the share links of a project or a study. */
export const shareLinkTexts = {
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Your browser doesn't allow copying here. Select the text and copy it.",
  days: "Works for",
  dayChoices: { 1: "1 day", 7: "7 days", 30: "30 days" },
  trialBound: "Your trial's links expire with the trial.",
  note: "Note",
  noteHint: "Optional, for example who the link is for. Only you see it.",
  createLink: "Create share link",
  createFailed: "Error creating the link. Please try again.",
  created: (expiresAt: string) => `Works until ${momentText(expiresAt)}.`,
  createdOnce: "Copy it now; it won't be shown again.",
  shareAddress: "Address of the new share link",
  noLinks: "No active links.",
  linksFailed: "The share links didn't load.",
  noNote: "No note",
  linkExpires: (expiresAt: string) => `until ${momentText(expiresAt)}`,
  revoke: "Revoke",
  revokeOf: (note: string, expiresAt: string) =>
    `Revoke the share link ${note ? `“${note}” ` : ""}that works until ${momentText(expiresAt)}`,
  revokeTitle: "Revoke this share link?",
  revokeText: "It stops working at once, even where it is open now. You can't undo this.",
  revokeFailed: "Error revoking the link. Please try again.",
  revoked: "You revoked the share link.",
} as const;
