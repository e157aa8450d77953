import { CONTACT_EMAIL } from "../../app/settings.ts";

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
        "The service turns spot-based spatial transcriptomics data and a tissue image into single-cell results, shows them in the browser, and keeps them for as long as your plan states.",
        "Results are computed estimates for research. They are not a medical device, and must not be used for diagnosis or treatment.",
      ],
    },
    {
      title: "Your account",
      paragraphs: [
        "Use a correct email address, keep your password to yourself, and tell us if you think someone else is using your account. You are responsible for all activity under it.",
        "A new account starts with a trial of four days and one analysis. Trial results can be viewed but not downloaded, and trial projects are deleted when the trial ends.",
      ],
    },
    {
      title: "Plans and payment",
      paragraphs: [
        "Prices, numbers of analyses and storage periods are those shown on the Pricing page on the day of purchase. One-time purchases are paid once; monthly plans renew each month until canceled.",
        "You may cancel at any time; access lasts until the end of the paid period. A downgrade takes effect at the end of the current billing period. Payment is handled by our payment provider; we never see card data.",
        "An analysis is counted when the first run of a project is accepted. It is credited back if the run fails through no fault of the data.",
      ],
    },
    {
      title: "Your data",
      paragraphs: [
        "You keep all rights to the data you upload and to your results. You allow us to store and process them only to provide the service to you.",
        "Upload only data you have the right to use. Remove names and other direct identifiers of patients first.",
        "When you create a share link, anyone who has it can view the results of that project or study until it expires or you revoke it.",
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
        "Projects are deleted when their storage period ends. Download what you want to keep before then. You may delete a project yourself at any time.",
      ],
    },
    {
      title: "Liability",
      paragraphs: [
        "We provide the service with care but do not guarantee that it is free of errors or always available. To the extent the law allows, we are not liable for indirect damages, and our total liability is limited to what you paid in the preceding twelve months.",
      ],
    },
    {
      title: "Termination",
      paragraphs: [
        "You may delete your account at any time on the Your Profile page. That ends your plan immediately and deletes your projects with their files and results.",
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
  lead: "This policy explains what data the service handles, why, and for how long.",
  sections: [
    {
      title: "What we store",
      paragraphs: [
        "Your email address and a one-way hash of your password; your plan, its dates and your payments (without card data); the projects you create, the files you upload to them, and their results; and technical records of requests, which we need to keep the service safe and working. For a year we keep a log of your sign-ins, payments, deletions, downloads and share links with the IP address and browser they came from; you can read it in your profile.",
      ],
    },
    {
      title: "What we use it for",
      paragraphs: [
        "To run your analyses, email you about runs, payments, and sign-ins from new browsers, show you your results, bill your plan, and find errors. We do not sell data, show ads, or use your files to train models.",
      ],
    },
    {
      title: "In your browser",
      paragraphs: [
        "Your browser's local storage holds your session token, notes about running workflows, and changes not saved yet. They are removed when you sign out. A tab with an interactive view keeps your selection until you close it. After you sign in, a cookie lets the sign-in page recognize your browser; it lasts a year. The pages load nothing from third parties and set no tracking cookies.",
      ],
    },
    {
      title: "Who else receives data",
      paragraphs: [
        "Our payment provider receives what it needs to take a payment. The companies that host our servers process data on our behalf. No one else receives data unless the law requires it.",
      ],
    },
    {
      title: "How long we keep it",
      paragraphs: [
        "Projects with their files and results: for your plan's storage period, shown with each project, or less if you delete them. Your account: until you delete it. Payment records: as long as tax law requires.",
      ],
    },
    {
      title: "Security",
      paragraphs: [
        "Passwords are stored only as hashes. Every request for a project is checked for ownership. Links to interactive views are signed, expire, and contain no login data; you can revoke a link you have shared.",
      ],
    },
    {
      title: "Your rights",
      paragraphs: [
        "The Your Profile page gives you a copy of what we store about you and lets you delete your account. You can also ask us for a copy or a correction. If you live in the European Union, you may also complain to a supervisory authority.",
        `Write to ${CONTACT_EMAIL}.`,
      ],
    },
  ],
};
