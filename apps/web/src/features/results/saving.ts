type SaveFilePicker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/**
 * Asks where to save; undefined if the browser cannot write files, or no longer counts this as part of the user's
 * click.
 */
export async function pickFile(
  suggestedName: string,
): Promise<FileSystemFileHandle | "cancelled" | undefined> {
  const picker = (window as { showSaveFilePicker?: SaveFilePicker }).showSaveFilePicker;
  try {
    return await picker?.({ suggestedName });
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError" ? "cancelled" : undefined;
  }
}

export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  downloadByBrowser(address, name);
  // The browser has read the file by then; some browsers need more time than an immediate revocation would leave.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Has the browser download an address by itself, as a click on a link does. */
export function downloadByBrowser(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}
