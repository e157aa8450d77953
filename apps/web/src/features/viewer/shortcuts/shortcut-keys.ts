/** Marks a stage in the document; key presses outside a stage are assigned to one of these. */
export const STAGE_MARK = "data-stage";

const TEXT_INPUTS = "input:not([type=checkbox],[type=radio],[type=range],[type=button]),textarea";
const OPEN_OVER_PAGE = "[role=dialog],[role=alertdialog],[role=menu],[role=listbox],dialog[open]";
/** Controls that handle arrow keys, Home, and End natively. */
const TAKES_ARROWS = `input,select,[role=slider],[role=tab],[role=option],[role=menuitem]`;

/** Whether a key press is a shortcut of the view: it is for the page, and no shortcut of the browser. */
export function isShortcut(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey && isForPage(event);
}

/** Whether a key press is for the page: true unless text is being edited, an overlay is open, or a control has handled it. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented) return false;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.closest(`${TEXT_INPUTS},select,[contenteditable]`)) return false;
  if (event.key.startsWith("Arrow") && target.closest(TAKES_ARROWS)) return false;
  // Closed menus stay in the document, without client rects.
  return ![...document.querySelectorAll(OPEN_OVER_PAGE)].some(
    (over) => over.getClientRects().length > 0,
  );
}

/** The stage a key press is for: the focused one, else the one under the pointer, else the first. */
export function stageOf(event: KeyboardEvent): Element | null {
  const focused = event.target instanceof Element && event.target.closest(`[${STAGE_MARK}]`);
  return (
    focused ||
    document.querySelector(`[${STAGE_MARK}]:hover`) ||
    document.querySelector(`[${STAGE_MARK}]`)
  );
}
