import { momentText } from "../../../app/long-date.ts";

/** Sentences of sharing and saved views, and of the pages shown when a view cannot be opened (anymore). */
export const failureTexts = {
  expired: {
    title: "This link has expired",
    text: "The project's owner can open the view again from the results page, or create a new share link.",
  },
  revoked: {
    title: "This share link no longer works",
    text: "The project's owner revoked it or replaced the sample. Ask them for a new one.",
  },
  planEnded: {
    title: "The plan has ended",
    text: "These results are kept for a while. They open again when their owner chooses a plan.",
  },
  trialEnded: {
    title: "The trial has ended",
    text: "You can view trial results for 4 days. With a plan, you keep, view, and download new analyses for longer.",
  },
  deleted: {
    title: "This project has been deleted",
    text: "Its results and this link are gone.",
  },
  changed: {
    title: "There are new results",
    text: "The project was analyzed again after you opened this view. Reload the page to see the new results. Names, regions, and notes are kept in the project.",
  },
  session: {
    title: "Your session has ended",
    text: "You signed out in this browser, or your session ran out, so we closed the view. Your groups and saved views are safe, and this tab keeps your selection. Log in to continue.",
  },
  invalid: {
    title: "This link doesn't work",
    text: "It may have been cut off when someone copied it. Open the view again from the project's results.",
  },
  notReady: {
    title: "Results are not ready yet",
    text: "The interactive view opens when all workflow steps are done.",
  },
  outdated: {
    title: "These results are from an earlier version",
    text: "This version can't show them. Run the project again from step 6. Earlier steps are kept.",
  },
  damaged: {
    title: "A file of these results is damaged",
    text: "We can't show it. Run the project's workflow again to repair it.",
  },
  network: {
    title: "The view didn't load",
    text: "The server didn't respond. Check your connection and try again.",
  },
  webgl: {
    title: "This browser can't show the view",
    text: "The view needs WebGL 2. Use a current version of Chrome, Edge, Firefox, or Safari, and turn on hardware acceleration in its settings.",
  },
  retry: "Try again",
  reload: "Reload the page",
  toPricing: "See plans",
  toLogin: "Log in",
  toProjects: "Your projects",
  toStart: "Go to the home page",
} as const;

export const sharingTexts = {
  save: "Save",

  thisView: "This view",
  thisViewText:
    "The link opens what you see now: colors, genes, layers, and position. For 7 days, anyone who has it can open it without an account. You can revoke it below.",
  thisViewOfGuest: (expiresAt: string) =>
    `The link opens what you see now: colors, genes, layers, and position. It works until ${momentText(expiresAt)}.`,
  copyView: "Copy link to this view",
  viewCopied: "Copied. The link is in the list below.",
  copiedNote: "Copied from the view",

  views: "Saved views",
  viewsText:
    "A saved view keeps what you see, with your groups of cells. Everyone who can open this project can open it.",
  noViews: "None yet.",
  viewsFailed: "The saved views didn't load.",
  viewName: "Name of the view",
  viewNameHint: "Saves what you see now, with your groups and selection.",
  replaces: "You have a view with this name. Saving replaces it.",
  viewSaved: (name: string) => `Saved “${name}”.`,
  viewSaveFailed: "Error saving the view. Please try again.",
  viewTooLarge: "This view is larger than 1 MB. Delete groups you don't need, then save it again.",
  viewOpened: (name: string) => `Opened “${name}”.`,
  viewUnreadable: "Error opening the view: this version can't read it.",
  openView: (name: string) => `Open the view ${name}`,
  renameView: (name: string) => `Rename the view ${name}`,
  deleteView: (name: string) => `Delete the view ${name}`,
  renameTitle: "Rename this view",
  rename: "Rename",
  renameTaken: "A view with this name already exists.",
  renameFailed: "Error renaming the view. Please try again.",
  deleteViewTitle: (name: string) => `Delete “${name}”?`,
  deleteViewText: "This removes the view for everyone. The results stay as they are.",
  delete: "Delete",
  deleteFailed: "Error deleting the view. Please try again.",
  viewDeleted: (name: string) => `Deleted “${name}”.`,

  links: "Share links",
  linksText:
    "With a share link, people can see everything here without an account, but can't change anything.",
  linkOpens: "It opens with what you see now.",

  readOnly:
    "You opened a shared link. You can open saved views and copy a link to what you see. Only the project's owner can save and share.",
  signedOut: "Log in as the project's owner in this browser to save views and create share links.",
  logIn: "Log in",
  otherAccount:
    "You are logged in to another account. Only the project's owner can save views and create share links.",

  csv: "Table as CSV",

  subscribe: "Subscribe to Download",
  savingOfGuest: "These results can be viewed but not downloaded.",

  programs: "Open in other programs",
  programsText:
    "These programs read the downloaded results. Unzip the download and run the code in the folder that contains analysis_results.",
  programsReadOnly: "The project's owner can download the results.",
  programsReadOnlyTrial: "With a plan, a project's owner can download its results.",
  toPricing: "See plans",
  programsTrial: "Trial accounts can't download results.",
  program: "Program",
  code: (program: string, step: number) => `${program}, step ${step}`,
  copyCode: (program: string, step: number) => `Copy ${program}, step ${step}`,
} as const;
