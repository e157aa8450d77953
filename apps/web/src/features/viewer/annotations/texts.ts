const items = (count: number) => (count === 1 ? "1 annotation" : `${count} annotations`);

export const annotationTexts = {
  notLoaded: "The project’s annotations could not be loaded.",
  waiting: "Not saved yet: the server cannot be reached. Your changes are kept in this browser.",
  conflict: (count: number) =>
    `${items(count)} that you changed ${count === 1 ? "was" : "were"} also changed elsewhere. Nothing was lost: choose what to keep.`,
  refused: "This change does not fit the annotations as they are now, so it was not saved.",
  undoOutdated:
    "The annotations were changed elsewhere, so nothing was undone. This page now shows the newest.",
};
