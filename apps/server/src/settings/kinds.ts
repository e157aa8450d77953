/** Which texts a setting accepts, and the value each stands for. */
export interface Kind<T> {
  /** Completes "must be …". */
  says: string;
  /** undefined = not valid. */
  parse(text: string): T | undefined;
}

export function wholeNumber(least: number, most?: number): Kind<number> {
  return {
    says:
      most === undefined
        ? `a whole number of at least ${least}`
        : `a whole number from ${least} to ${most}`,
    parse(text) {
      const value = Number(text);
      return Number.isInteger(value) && value >= least && value <= (most ?? value)
        ? value
        : undefined;
    },
  };
}

export const flag: Kind<boolean> = {
  says: "true or false",
  parse: (text) => ({ true: true, "1": true, false: false, "0": false })[text],
};

export const anyText: Kind<string> = { says: "text", parse: (text) => text };

export function textOf(says: string, pattern: RegExp): Kind<string> {
  return { says, parse: (text) => (pattern.test(text) ? text : undefined) };
}

export function oneOf<T extends string>(...choices: readonly T[]): Kind<T> {
  return {
    says: `one of ${choices.join(", ")}`,
    parse: (text) => choices.find((choice) => choice === text),
  };
}

export const webAddress: Kind<string> = {
  says: "an http:// or https:// address",
  parse: (text) => (/^https?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
};
