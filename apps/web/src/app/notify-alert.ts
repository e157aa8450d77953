/** The browser's own alert, where the specification calls for one. */
export function notifyAlert(text: string): void {
  window.alert(text);
}
