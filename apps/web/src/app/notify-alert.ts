/** The browser's own alert, where the product promises an alert. */
export function notifyAlert(text: string): void {
  window.alert(text);
}
