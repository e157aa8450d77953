export const CONTACT_TEXTS = {
  title: "Contact",
  text: "Questions about your data, a plan or a custom analysis? Write to us.",
  formTitle: "Write a message",
  formHint:
    "This opens your own email program with the message filled in. Nothing is sent from this page.",
  name: "Name",
  email: "Email",
  subject: "Subject",
  message: "Message",
  open: "Open in Email Program",
  copy: "Copy message",
  copied: "Message copied.",
  copyFailed: "Error: The message could not be copied.",
  required: "Please fill in all four fields.",
  opened: "Your email program should open now. If it does not, copy the message instead.",
  detailsTitle: "Contact details",
  emailLabel: "Email us",
  socialLabel: "Follow us",
  answerTime:
    "Please mention your platform (Visium or HD Visium) and staining so we can answer faster.",
};
