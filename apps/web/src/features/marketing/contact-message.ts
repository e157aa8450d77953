export interface ContactMessage {
  name: string;
  email: string;
  subject: string;
  message: string;
}

/** All four are there and not blank. */
export function isComplete(form: ContactMessage): boolean {
  return Object.values(form).every((text: string) => text.trim() !== "");
}

/** The message as text: what is said, then who says it. */
export function messageBody({ name, email, message }: ContactMessage): string {
  return `${message.trim()}\n\n${name.trim()}\n${email.trim()}`;
}

/** An address that opens the visitor's own email app; line ends as RFC 6068 wants them. */
export function mailtoAddress(to: string, form: ContactMessage): string {
  const body = encodeURIComponent(messageBody(form).replaceAll(/\r?\n/g, "\r\n"));
  return `mailto:${to}?subject=${encodeURIComponent(form.subject.trim())}&body=${body}`;
}
