/**
 * Keys in local storage with this prefix belong to a user, such as changes that could not be sent yet. They stay when the
 * session ends by itself, and are removed when the user signs out or someone else signs in.
 */
const PREFIX = "stipple.";
const OWNER_KEY = `${PREFIX}user`;

/** Keeps what belongs to this user, and removes what belongs to another one. */
export function keepStorageFor(userId: string): void {
  inStorage(() => {
    const owner = localStorage.getItem(OWNER_KEY);
    if (owner === userId) return;
    if (owner !== null) forgetPersonal();
    localStorage.setItem(OWNER_KEY, userId);
  });
}

/** Throws where storage is forbidden. */
export function forgetPersonal(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  }
}

export function inStorage(act: () => void): void {
  try {
    act();
  } catch {
    // Storage is forbidden, so nothing is stored.
  }
}
