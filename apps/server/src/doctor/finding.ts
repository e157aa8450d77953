/** The result of one check. */
export interface Finding {
  what: string;
  state: "well" | "doubtful" | "wrong";
  /** A sentence; if something is wrong, it says what to do. */
  says: string;
}

export const well = (what: string, says: string): Finding => ({ what, state: "well", says });
export const doubtful = (what: string, says: string): Finding => ({
  what,
  state: "doubtful",
  says,
});
export const wrong = (what: string, says: string): Finding => ({ what, state: "wrong", says });
