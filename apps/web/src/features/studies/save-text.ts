/** Has the browser save a text as a file. */
export function saveText(text: string | Blob, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  saveFrom(address, name);
  // The browser has read the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Has the browser download an address by itself, as a click on a link does. */
export function saveFrom(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}
