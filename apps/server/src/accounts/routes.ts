import { login, logout, register, verifySubscription } from "@stipple/contract";
import type { Context } from "../context.ts";
import { ApiError } from "../http/api-error.ts";
import type { Mount } from "../http/route-adapter.ts";

export function accountRoutes(mount: Mount, context: Context): void {
  const { accounts, sessions, entitlements, billing, config } = context;
  const explain = (): ApiError => new ApiError("fields_required");

  mount(
    register,
    async ({ body }) => {
      await accounts.register(body);
      return { status: 201, body: { message: "Registration successful! You can now log in." } };
    },
    { explain, rateLimit: { max: config.signupsPerMinute, timeWindow: "1 minute" } },
  );

  mount(
    login,
    async ({ body }) => {
      const user = await accounts.authenticate(body.email, body.password);
      const token = await sessions.issue(user);
      return {
        status: 200,
        body: { token, userId: user.id, sub: user.id, message: "Login successful!" },
      };
    },
    { explain, rateLimit: { max: config.loginsPerMinute, timeWindow: "1 minute" } },
  );

  mount(logout, async ({ session }) => {
    await sessions.revoke(session.id);
    return { status: 200, body: { message: "You are logged out." } };
  });

  mount(verifySubscription, async ({ session }) => {
    await billing.catchUp(session.userId);
    return { status: 200, body: await entitlements.subscriptionOf(session.userId) };
  });
}
