import { CONTACT_EMAIL } from "../app/settings.ts";

export interface LegalText {
  title: string;
  lead: string;
  sections: readonly { title: string; paragraphs: readonly string[] }[];
}

export const LAST_UPDATED = "Last updated April 21, 2025";

export const TERMS: LegalText = {
  title: "Terms of Service",
  lead: "These terms apply between you and the operator of this service whenever you use it. By creating an account you accept them.",
  sections: [
    {
      title: "The service",
      paragraphs: [
        "The service turns spot-based spatial transcriptomics data and a tissue image into results at the level of single cells, shows them in the browser, and keeps them for the time that your plan states.",
        "Results are computed estimates for research. They are not a medical device, and must not be used for diagnosis or treatment.",
      ],
    },
    {
      title: "Your account",
      paragraphs: [
        "Use a correct email address, keep your password to yourself, and tell us if you think that someone else is using your account. You are responsible for what is done with it.",
        "A new account starts with a trial of four days and one analysis. Trial results can be viewed but not downloaded, and trial projects are deleted when the trial ends.",
      ],
    },
    {
      title: "Plans and payment",
      paragraphs: [
        "Prices, numbers of analyses and storage times are those of the Pricing page on the day of purchase. One-time purchases are paid once; monthly plans are renewed each month until they are cancelled.",
        "You may cancel at any time; access lasts until the end of the paid period. A downgrade takes effect at the end of the current billing period. Payment is handled by our payment provider; we never see card data.",
        "An analysis is counted when the first run of a project is accepted. It is given back when the run fails through no fault of the data.",
      ],
    },
    {
      title: "Your data",
      paragraphs: [
        "You keep all rights in the data that you upload and in your results. You allow us to store and process them only to provide the service to you.",
        "Upload only data that you may use. Remove names and other direct identifiers of patients first.",
        "When you create a share link, anyone who has it can view that project's results until the link expires or you revoke it.",
      ],
    },
    {
      title: "Fair use",
      paragraphs: [
        "Do not try to access other people's data, disrupt the service or bypass its limits. We may suspend accounts that do.",
      ],
    },
    {
      title: "Storage and deletion",
      paragraphs: [
        "Projects are deleted when their storage time ends. Download what you want to keep before then. You may delete a project yourself at any time.",
      ],
    },
    {
      title: "Liability",
      paragraphs: [
        "We provide the service with care but do not guarantee that it is free of errors or always available. To the extent the law allows, we are not liable for indirect damages, and our total liability is limited to what you paid in the preceding twelve months.",
      ],
    },
    {
      title: "Ending",
      paragraphs: [
        "You may delete your account at any time on the Your Profile page. That ends your plan at once and deletes your projects with their files and results.",
      ],
    },
    {
      title: "Changes and contact",
      paragraphs: [
        "If these terms change substantially, we notify account holders in advance.",
        `Questions about these terms: ${CONTACT_EMAIL}.`,
      ],
    },
  ],
};

export const PRIVACY: LegalText = {
  title: "Privacy Policy",
  lead: "This policy explains which data the service handles, why, and for how long.",
  sections: [
    {
      title: "What we store",
      paragraphs: [
        "Your email address and a one-way hash of your password; your plan, its dates and your payments (without card data); the projects that you create, the files that you upload to them, and their results; and technical records of requests, which we need to keep the service safe and working. For a year we keep a log of your sign-ins, payments, deletions, downloads and share links with the IP address and browser they came from; you can read it in your profile.",
      ],
    },
    {
      title: "What we use it for",
      paragraphs: [
        "To run your analyses, to tell you by email when a long one has finished, to show you your results, to bill your plan, and to find errors. We do not sell data, show no advertising, and do not use your files to train models.",
      ],
    },
    {
      title: "In your browser",
      paragraphs: [
        "Your browser's local storage holds the token of your session and a few notes about running workflows. They are removed when you sign out. An interactive view keeps your groups of cells until its tab is closed. After you have signed in, a cookie tells the sign-in page that it knows your browser; it stays for a year. The pages load nothing from third parties and set no tracking cookies.",
      ],
    },
    {
      title: "Who else receives data",
      paragraphs: [
        "Our payment provider receives what it needs to take a payment. The companies that host our servers process data on our behalf. No one else does, unless the law requires it.",
      ],
    },
    {
      title: "How long we keep it",
      paragraphs: [
        "Projects with their files and results: for the storage time of your plan, shown with each project, or less if you delete them. Your account: until you delete it. Payment records: as long as tax law requires.",
      ],
    },
    {
      title: "Security",
      paragraphs: [
        "Passwords are stored only as hashes. Every request for a project checks that it is yours. Links to interactive views are signed, expire, and contain no login data; a link that you share can be revoked.",
      ],
    },
    {
      title: "Your rights",
      paragraphs: [
        "The Your Profile page gives you a copy of what we store about you, and lets you delete your account. You can also ask us for a copy or a correction. If you live in the European Union, you may also complain to a supervisory authority.",
        `Write to ${CONTACT_EMAIL}.`,
      ],
    },
  ],
};
