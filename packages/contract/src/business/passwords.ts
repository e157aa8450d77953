/** The API's and the combined form's minimum length. /register's screen adds its own rule. */
export const PASSWORD_MIN = 6;

export const REGISTER_PASSWORD_RULES = [
  { id: "length", label: "At least 8 characters", test: (text: string) => text.length >= 8 },
  { id: "upper", label: "One uppercase letter", test: (text: string) => /[A-Z]/.test(text) },
  { id: "lower", label: "One lowercase letter", test: (text: string) => /[a-z]/.test(text) },
  { id: "number", label: "One number", test: (text: string) => /[0-9]/.test(text) },
  {
    id: "special",
    label: 'One special character from !@#$%^&*(),.?":{}|<>',
    test: (text: string) => /[!@#$%^&*(),.?":{}|<>]/.test(text),
  },
] as const;
