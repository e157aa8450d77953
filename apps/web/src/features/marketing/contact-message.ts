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

/** The message as text: the message itself, then the sender. */
export function messageBody({ name, email, message }: ContactMessage): string {
  return `${message.trim()}\n\n${name.trim()}\n${email.trim()}`;
}

/** A mailto URL that opens the visitor's email app; line endings follow RFC 6068. */
export function mailtoAddress(to: string, form: ContactMessage): string {
  const body = encodeURIComponent(messageBody(form).replaceAll(/\r?\n/g, "\r\n"));
  return `mailto:${to}?subject=${encodeURIComponent(form.subject.trim())}&body=${body}`;
}
