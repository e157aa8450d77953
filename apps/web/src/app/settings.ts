/** What an operator may set when building the web app (VITE_… in the environment or apps/web/.env). */
const environment = import.meta.env as Record<string, string | undefined>;

function setting(name: string, otherwise: string): string {
  return environment[name] || otherwise;
}

/** The product's public home site: where a person lands after signing out. */
export const HOME_URL = setting("VITE_HOME_URL", "/");
export const CONTACT_EMAIL = setting("VITE_CONTACT_EMAIL", "contact@example.org");
/** A self-hosted MP4 or WebM for the landing page; none = pictures only. */
export const OVERVIEW_VIDEO_URL = setting("VITE_OVERVIEW_VIDEO_URL", "");
export const SOCIAL_LINKS = {
  linkedIn: setting("VITE_LINKEDIN_URL", "https://www.linkedin.com/"),
  youTube: setting("VITE_YOUTUBE_URL", "https://www.youtube.com/"),
  x: setting("VITE_X_URL", "https://x.com/"),
};
