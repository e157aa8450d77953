import {
  login,
  loginCode,
  passkeyLogin,
  startPasskeyLogin,
  type SignedIn,
} from "@stipple/contract";
import type { FastifyRequest } from "fastify";
import { deviceOf } from "../audit/device.ts";
import { ApiError } from "../http/api-error.ts";
import { ok, type Mount } from "../http/route-adapter.ts";
import type { Notices } from "../notices/notices.ts";
import { authenticate, type Account, type Authenticated } from "./accounts.ts";
import { deviceCookie, knownDevice } from "./known-devices.ts";
import { secondFactorOf } from "./second-factor.ts";
import { askPasskey, beginSecondStep, takeCode, takePasskey } from "./second-step.ts";
import type { AccountServices } from "./services.ts";
import { isNewPlace, issueSession, type Means } from "./sessions.ts";

interface SignInParts extends AccountServices {
  notices: Notices;
}

/** Signing in: one step, or two where the account has a second factor. */
export function signInRoutes(mount: Mount, parts: SignInParts): void {
  const { config, database } = parts;
  const explain = (): ApiError => new ApiError("fields_required");
  const rateLimit = { max: config.loginsPerMinute, timeWindow: "1 minute" };

  mount(
    login,
    async ({ body, request }) => {
      const from = { address: request.ip, deviceOf: deviceIn(parts, request) };
      const user = await authenticate(parts, body, from);
      const second = await secondFactorOf(database.db, user.id);
      if (!second) return signIn(parts, user, "password", request);
      return {
        status: 202,
        body: {
          ticket: await beginSecondStep(parts, user),
          ...second,
          message: "Your password is correct. Now confirm it's you.",
        },
      };
    },
    { explain, rateLimit },
  );

  mount(
    loginCode,
    async ({ body, request }) => {
      const { user, means } = await takeCode(parts, body, deviceIn(parts, request));
      return signIn(parts, user, means, request);
    },
    { explain, rateLimit },
  );

  mount(startPasskeyLogin, ({ body }) => ok(askPasskey(parts, body.ticket)), { rateLimit });

  mount(
    passkeyLogin,
    async ({ body, request }) => {
      const user = await takePasskey(parts, body.ticket, body.response);
      return signIn(parts, user, "passkey", request);
    },
    { rateLimit },
  );
}

/** Tells an account's known devices by the cookies of a request. */
function deviceIn(services: AccountServices, { headers }: FastifyRequest) {
  return (userId: string): Promise<string | null> => knownDevice(services, headers.cookie, userId);
}

async function signIn(
  parts: SignInParts,
  user: Account | Authenticated,
  means: Means,
  request: FastifyRequest,
): Promise<{ status: 200; body: SignedIn; setCookie: string }> {
  const { clock, database, notices } = parts;
  const isKnown = (await deviceIn(parts, request)(user.id)) !== null;
  const device = deviceOf(request.headers["user-agent"] ?? "");
  const from = { device, address: request.ip, at: clock.now() };
  if (!isKnown && (await isNewPlace(database.db, user.id, from))) notices.signedIn(user.id, from);
  return {
    status: 200,
    body: {
      token: await issueSession(parts, user, means),
      userId: user.id,
      sub: user.id,
      message: "Login successful!",
    },
    setCookie: await deviceCookie(parts, user.id),
  };
}
