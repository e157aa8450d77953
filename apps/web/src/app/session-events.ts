/** Raised when the API answers 401 to a signed-in person's call; the shell then opens the Session Expired dialog. */
export const sessionExpired = new EventTarget();

export function announceSessionExpired(): void {
  sessionExpired.dispatchEvent(new Event("expired"));
}
