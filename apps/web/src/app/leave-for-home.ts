import { LOGOUT_REDIRECT_MS } from "@stipple/contract/business/intervals";
import { forgetPersonal, inStorage } from "./personal-storage.ts";
import { BLANK_USER, setSession } from "./session.ts";
import { HOME_URL } from "./settings.ts";
import { TOKEN_KEY } from "./token.ts";

/**
 * The last step of signing out: waits for the server to be told, if `told` is given, and leaves. Until then the state
 * is "unknown", which avoids a flash of /login.
 */
export async function leaveForHome(told?: Promise<unknown>): Promise<void> {
  inStorage(() => {
    localStorage.removeItem(TOKEN_KEY);
    forgetPersonal();
  });
  setSession({ state: "unknown", user: BLANK_USER, verified: false });
  await told;
  setTimeout(() => window.location.assign(HOME_URL), LOGOUT_REDIRECT_MS);
}
