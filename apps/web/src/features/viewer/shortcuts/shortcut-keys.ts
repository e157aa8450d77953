/** Marks a stage in the document; keys without their own stage go to one of them. */
export const STAGE_MARK = "data-stage";

const TEXT_INPUTS = "input:not([type=checkbox],[type=radio],[type=range],[type=button]),textarea";
const OPEN_OVER_PAGE = "[role=dialog],[role=alertdialog],[role=menu],[role=listbox],dialog[open]";
/** Controls that arrow keys, Home and End move through by themselves. */
const TAKES_ARROWS = `input,select,[role=slider],[role=tab],[role=option],[role=menuitem]`;

/**
 * Whether a key press is a shortcut of the view: it is, unless text is being edited, something lies over the page, a
 * control has used it, or it is one of the browser's own.
 */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.closest(`${TEXT_INPUTS},select,[contenteditable]`)) return false;
  if (event.key.startsWith("Arrow") && target.closest(TAKES_ARROWS)) return false;
  // Closed menus stay in the document, without a place.
  return ![...document.querySelectorAll(OPEN_OVER_PAGE)].some(
    (over) => over.getClientRects().length > 0,
  );
}

/** The stage that a key press is for: the one with the focus, else the one under the pointer, else the first. */
export function stageOf(event: KeyboardEvent): Element | null {
  const focused = event.target instanceof Element && event.target.closest(`[${STAGE_MARK}]`);
  return (
    focused ||
    document.querySelector(`[${STAGE_MARK}]:hover`) ||
    document.querySelector(`[${STAGE_MARK}]`)
  );
}
