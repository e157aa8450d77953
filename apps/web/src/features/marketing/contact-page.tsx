import { Copy, Mail } from "lucide-react";
import { useState, type FormEvent } from "react";
import { CONTACT_EMAIL, SOCIAL_LINKS } from "../../app/settings.ts";
import type { Message } from "../../app/use-attempt.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Field, TextArea, TextField } from "../../components/field.tsx";
import { SocialLinks } from "../../components/social-links.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { toast } from "../../components/toast-store.ts";
import { CONTACT_TEXTS as TEXTS } from "./contact-texts.ts";
import { PageIntro } from "./page-intro.tsx";

const EMPTY: ContactMessage = { name: "", email: "", subject: "", message: "" };

/** Opens the visitor's own email app; nothing goes to a server. */
export function ContactPage() {
  usePageTitle(TEXTS.title);
  return (
    <>
      <PageIntro title={TEXTS.title} text={TEXTS.text} />
      <div className="mx-auto grid w-full max-w-[1200px] items-start gap-6 px-4 py-12 sm:px-6 lg:grid-cols-3">
        <Card title={TEXTS.formTitle} description={TEXTS.formHint} className="lg:col-span-2">
          <ContactForm />
        </Card>
        <Card title={TEXTS.detailsTitle}>
          <p className="text-ink-3">{TEXTS.emailLabel}</p>
          <a
            href={`mailto:${CONTACT_EMAIL}`}
            className="mt-0.5 inline-block font-medium break-all text-primary hover:underline"
          >
            {CONTACT_EMAIL}
          </a>
          <p className="mt-5 text-ink-3">{TEXTS.socialLabel}</p>
          <SocialLinks links={SOCIAL_LINKS} className="mt-1 -ml-2" />
          <p className="mt-5 text-ink-2">{TEXTS.answerTime}</p>
        </Card>
      </div>
    </>
  );
}

function ContactForm() {
  const [form, setForm] = useState(EMPTY);
  const [note, setNote] = useState<Message | null>(null);

  const change = (part: Partial<ContactMessage>): void => {
    setForm({ ...form, ...part });
    setNote(null);
  };
  const open = (event: FormEvent): void => {
    event.preventDefault();
    if (!isComplete(form)) return setNote({ text: TEXTS.required, failed: true });
    setNote({ text: TEXTS.opened, failed: false });
    window.location.assign(mailtoAddress(CONTACT_EMAIL, form));
  };
  const copy = async (): Promise<void> => {
    if (!isComplete(form)) return setNote({ text: TEXTS.required, failed: true });
    try {
      await navigator.clipboard.writeText(
        `${CONTACT_EMAIL}\n${form.subject.trim()}\n\n${messageBody(form)}`,
      );
      toast(TEXTS.copied);
    } catch {
      toast(TEXTS.copyFailed);
    }
  };

  return (
    <form noValidate onSubmit={open} className="grid gap-4 sm:grid-cols-2">
      <TextField
        label={TEXTS.name}
        autoComplete="name"
        required
        value={form.name}
        onText={(name) => change({ name })}
      />
      <TextField
        label={TEXTS.email}
        type="email"
        autoComplete="email"
        required
        value={form.email}
        onText={(email) => change({ email })}
      />
      <TextField
        label={TEXTS.subject}
        className="sm:col-span-2"
        required
        value={form.subject}
        onText={(subject) => change({ subject })}
      />
      <Field label={TEXTS.message} className="sm:col-span-2">
        {(control) => (
          <TextArea
            {...control}
            required
            value={form.message}
            onChange={({ target }) => change({ message: target.value })}
          />
        )}
      </Field>
      <StatusMessage className="sm:col-span-2" text={note?.text} failed={note?.failed ?? false} />
      <div className="flex flex-wrap gap-3 sm:col-span-2">
        <Button type="submit" variant="primary" icon={Mail}>
          {TEXTS.open}
        </Button>
        <Button icon={Copy} onClick={() => void copy()}>
          {TEXTS.copy}
        </Button>
      </div>
    </form>
  );
}

interface ContactMessage {
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
