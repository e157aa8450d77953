export const SHELL_TEXTS = {
  product: "Stipple",
  skip: "Skip to content",
  mainNavigation: "Main",
  openMenu: "Open menu",
  closeMenu: "Close menu",
  logIn: "Log In",
  signOut: "Sign Out",
  userMenu: "User menu",
  tagline: "Single-cell results from spot-based spatial transcriptomics.",
  quickLinks: "Quick Links",
  legal: "Legal",
  connect: "Connect",
  linkedIn: "LinkedIn",
  youTube: "YouTube",
  x: "X",
  rights: "All rights reserved.",
};

export interface NavigationItem {
  label: string;
  to: string;
}

const PRICING = { label: "Pricing", to: "/pricing" };

/** Top navigation; Pricing is shown only to signed-in users. */
export function topNavigation(signedIn: boolean): NavigationItem[] {
  return [
    { label: "Home", to: "/" },
    { label: "Validation", to: "/validation" },
    { label: "Services", to: "/services" },
    ...(signedIn ? [PRICING] : []),
    { label: "About", to: "/about" },
    { label: "Contact", to: "/contact" },
  ];
}

export const USER_NAVIGATION: readonly NavigationItem[] = [
  { label: "Dashboard", to: "/dashboard" },
  { label: "Your Profile", to: "/profile" },
  { label: "Your Projects", to: "/projects" },
  { label: "Start New Analysis", to: "/analysis/step1" },
];

export const QUICK_LINKS: readonly NavigationItem[] = [
  { label: "About", to: "/about" },
  { label: "Services", to: "/services" },
  PRICING,
  { label: "Contact", to: "/contact" },
];

/** Beside the groups of links that the specification names. */
export const HELP: NavigationItem = { label: "Help", to: "/help" };

export const LEGAL_LINKS: readonly NavigationItem[] = [
  { label: "Terms of Service", to: "/terms" },
  { label: "Privacy Policy", to: "/privacy" },
];
