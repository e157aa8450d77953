import * as z from "zod/mini";
import { defineRoute } from "./define.ts";

/** Apart from the other routes about security, which no other page loads at once. */
export const verifyEmail = defineRoute("POST", "/verify-email", "public", {
  summary: "Confirm an email address with the token from an emailed link.",
  body: z.object({ token: z.string() }),
  answers: { 200: z.object({ message: z.string() }) },
});
