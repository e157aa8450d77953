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
        "Give a correct email address, keep your password to yourself, and tell us when you think that somebody else uses your account. You answer for what is done with it.",
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
        "When you make a share link, whoever has it can look at that project's results until the link expires or you revoke it.",
      ],
    },
    {
      title: "Fair use",
      paragraphs: [
        "Do not try to get at the data of others, to disturb the service, or to go round its limits. We may suspend accounts that do.",
      ],
    },
    {
      title: "Storage and deletion",
      paragraphs: [
        "Projects are deleted when their storage time ends. Download in time what you want to keep. You may delete a project yourself at any time.",
      ],
    },
    {
      title: "Liability",
      paragraphs: [
        "The service is provided with care but without a promise that it is free of faults or always available. As far as the law allows, we are not liable for indirect damage, and in total for no more than you paid in the twelve months before.",
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
        "When these terms change in substance we announce it to account holders beforehand.",
        `Questions about these terms: ${CONTACT_EMAIL}.`,
      ],
    },
  ],
};

export const PRIVACY: LegalText = {
  title: "Privacy Policy",
  lead: "This policy says which data the service handles, what for, and for how long.",
  sections: [
    {
      title: "What we store",
      paragraphs: [
        "Your email address and a one-way hash of your password; your plan, its dates and your payments (without card data); the projects that you create, the files that you upload to them, and their results; and technical records of requests, which we need to keep the service safe and working. For a year we keep a log of your sign-ins, payments, deletions, downloads and share links with the address and the browser that they came from; you read it in your profile.",
      ],
    },
    {
      title: "What we use it for",
      paragraphs: [
        "To run your analyses, to tell you by email when a long one has ended, to show you your results, to bill your plan, and to find faults. We do not sell data, show no advertising, and do not use your files to train models.",
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
        "Our payment provider receives what it needs to take a payment. The companies that host our servers process data on our behalf. Nobody else does, unless the law obliges us.",
      ],
    },
    {
      title: "How long we keep it",
      paragraphs: [
        "Projects with their files and results: for the storage time of your plan, shown with each project, and less when you delete them. Your account: until you delete it. Payment records: as long as tax law demands.",
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
        "The Your Profile page gives you a copy of what we store about you, and deletes your account when you want that. You may also ask us for it, or have something corrected. If you live in the European Union you may also complain to a supervisory authority.",
        `Write to ${CONTACT_EMAIL}.`,
      ],
    },
  ],
};
