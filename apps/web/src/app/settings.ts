/** What an operator may set when building the web app (VITE_… in the environment or apps/web/.env). */
const environment = import.meta.env as Record<string, string | undefined>;

function setting(name: string, otherwise: string): string {
  return environment[name] || otherwise;
}

/** The product's public home site: where a person lands after signing out. */
export const HOME_URL = setting("VITE_HOME_URL", "/");
export const CONTACT_EMAIL = setting("VITE_CONTACT_EMAIL", "contact@example.org");
/** The overview video that `npm run overview-video` recorded from the product's own pages. */
export const OWN_OVERVIEW = {
  video: "/overview/overview.webm",
  captions: "/overview/captions.vtt",
  posterAvif: "/overview/poster.avif",
  posterWebp: "/overview/poster.webp",
};
/** A self-hosted MP4 or WebM for the landing page instead of our own. */
export const OVERVIEW_VIDEO_URL = setting("VITE_OVERVIEW_VIDEO_URL", OWN_OVERVIEW.video);
export const SOCIAL_LINKS = {
  linkedIn: setting("VITE_LINKEDIN_URL", "https://www.linkedin.com/"),
  youTube: setting("VITE_YOUTUBE_URL", "https://www.youtube.com/"),
  x: setting("VITE_X_URL", "https://x.com/"),
};
