import {
  login,
  loginCode,
  passkeyLogin,
  startPasskeyLogin,
  type SignedIn,
} from "@stipple/contract";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { KnownDevices } from "./known-devices.ts";
import type { Notices } from "../notices/notices.ts";
import type { Sessions } from "./sessions.ts";
import { ApiError } from "../http/api-error.ts";
import type { Mount } from "../http/route-adapter.ts";
import { deviceOf } from "../audit/device.ts";
import type { Account, Accounts } from "./accounts.ts";
import type { Means, SecondFactor } from "./second-factor.ts";

interface SignInParts {
  accounts: Accounts;
  sessions: Sessions;
  secondFactor: SecondFactor;
  knownDevices: KnownDevices;
  notices: Notices;
  config: Config;
  clock: Clock;
}

/** Signing in: one step, or two where the account has a second factor. */
export function signInRoutes(mount: Mount, parts: SignInParts): void {
  const { accounts, sessions, secondFactor, knownDevices, notices, config, clock } = parts;
  const explain = (): ApiError => new ApiError("fields_required");
  const rateLimit = { max: config.loginsPerMinute, timeWindow: "1 minute" };

  const deviceIn =
    ({ headers }: FastifyRequest) =>
    (userId: string): Promise<string | null> =>
      knownDevices.among(headers.cookie, userId);

  async function signIn(
    user: Account,
    means: Means,
    request: FastifyRequest,
  ): Promise<{ status: 200; body: SignedIn; setCookie: string }> {
    const isKnown = (await deviceIn(request)(user.id)) !== null;
    const from = {
      device: deviceOf(request.headers["user-agent"] ?? ""),
      address: request.ip,
      at: clock.now(),
    };
    if (!isKnown && (await sessions.isNewPlace(user.id, from))) notices.signedIn(user.id, from);
    return {
      status: 200,
      body: {
        token: await sessions.issue(user, means),
        userId: user.id,
        sub: user.id,
        message: "Login successful!",
      },
      setCookie: await knownDevices.cookieFor(user.id),
    };
  }

  mount(
    login,
    async ({ body, request }) => {
      const user = await accounts.authenticate(body.email, body.password, {
        address: request.ip,
        deviceOf: deviceIn(request),
      });
      const second = await secondFactor.of(user.id);
      if (!second) return signIn(user, "password", request);
      return {
        status: 202,
        body: {
          ticket: await secondFactor.ask(user.id),
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
      const { userId, means } = await secondFactor.takeCode(
        body.ticket,
        body.code,
        deviceIn(request),
      );
      return signIn(await accounts.byId(userId), means, request);
    },
    { explain, rateLimit },
  );

  mount(
    startPasskeyLogin,
    async ({ body }) => ({ status: 200, body: await secondFactor.askPasskey(body.ticket) }),
    { rateLimit },
  );

  mount(
    passkeyLogin,
    async ({ body, request }) => {
      const { userId, means } = await secondFactor.takePasskey(body.ticket, body.response);
      return signIn(await accounts.byId(userId), means, request);
    },
    { rateLimit },
  );
}
