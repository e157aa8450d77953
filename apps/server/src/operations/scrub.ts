const GONE = "[removed]";

/** What must never appear anywhere in a log line, and what replaces it. */
const SECRETS: readonly [RegExp, string][] = [
  // Sessions, share links, download links: JSON Web Tokens.
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, GONE],
  [/\b(Bearer|Basic) [\w.~+/=-]{8,}/gi, `$1 ${GONE}`],
  // Keys of Stripe and the secrets of its webhooks.
  [/\b((?:sk|rk)_(?:live|test)|whsec)_\w+/g, `$1_${GONE}`],
  // Passwords in addresses of databases, mail servers and proxies.
  [/(\b[a-z][a-z\d+.-]*:\/\/[^\s:/@"\\]*):[^\s@"\\]+@/gi, `$1:${GONE}@`],
  [
    /([?&](?:token|secret|password|code|key|state|sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token))=)[^\s&#"\\]+/gi,
    `$1${GONE}`,
  ],
  // Links for a new password carry their token behind the hash.
  [/(\/[a-z-]*(?:password|verify|confirm)[a-z-]*#)[\w.~-]+/gi, `$1${GONE}`],
];

/** Takes secrets out of a text; the rest stays, and JSON stays JSON. */
export function scrubbed(text: string): string {
  let clean = text;
  for (const [secret, instead] of SECRETS) clean = clean.replace(secret, instead);
  return clean;
}
