/**
 * Copies a text to the clipboard; returns false if the browser does not allow it. Call it during the click, with a
 * promise if the text is yet to come: Safari allows nothing later.
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blobOf(text) })]);
    return true;
  } catch {
    // Without TLS or permission there is no clipboard API; the legacy method may still work.
    return copyBySelection(await text);
  }
}

async function blobOf(text: string | Promise<string>): Promise<Blob> {
  return new Blob([await text], { type: "text/plain" });
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "fixed -left-full";
  document.body.append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
