import { Redirect, Route, Switch } from "wouter";
import { lazyPart as page } from "../app/load-code.ts";
import { Protected } from "../app/protected.tsx";
import { SessionExpired } from "../app/session-expired.tsx";
import { Shell } from "../app/shell.tsx";
import { storedToken } from "../app/token.ts";

const Queries = page(() => import("../app/queries.tsx"), "Queries");

const HomePage = page(() => import("../features/marketing/home-page.tsx"), "HomePage");
const AboutPage = page(() => import("../features/marketing/about-page.tsx"), "AboutPage");
const ServicesPage = page(() => import("../features/marketing/services-page.tsx"), "ServicesPage");
const ContactPage = page(() => import("../features/marketing/contact-page.tsx"), "ContactPage");
const TermsPage = page(() => import("../features/marketing/terms-page.tsx"), "TermsPage");
const PrivacyPage = page(() => import("../features/marketing/privacy-page.tsx"), "PrivacyPage");
const HelpPage = page(() => import("../features/help/help-page.tsx"), "HelpPage");
const NotFoundPage = page(() => import("../features/marketing/not-found-page.tsx"), "NotFoundPage");
const ValidationPage = page(
  () => import("../features/validation/validation-page.tsx"),
  "ValidationPage",
);
const LoginPage = page(() => import("../features/accounts/login-page.tsx"), "LoginPage");
const RegisterPage = page(() => import("../features/accounts/register-page.tsx"), "RegisterPage");
const ForgotPasswordPage = page(
  () => import("../features/accounts/forgot-password-page.tsx"),
  "ForgotPasswordPage",
);
const ResetPasswordPage = page(
  () => import("../features/accounts/reset-password-page.tsx"),
  "ResetPasswordPage",
);
const VerifyEmailPage = page(
  () => import("../features/accounts/verify-email-page.tsx"),
  "VerifyEmailPage",
);
const SuccessPage = page(() => import("../features/billing/success-page.tsx"), "SuccessPage");
const GuestStudyPage = page(
  () => import("../features/studies/guest/guest-page.tsx"),
  "GuestStudyPage",
);
const GuestTogetherPage = page(
  () => import("../features/studies/guest/guest-together-page.tsx"),
  "GuestTogetherPage",
);
const TogetherPage = page(
  () => import("../features/studies/together/together-page.tsx"),
  "TogetherPage",
);
const ReportPage = page(() => import("../features/results/report-page.tsx"), "ReportPage");
const signedInRoutes = () => import("./signed-in-routes.tsx");
const SignedInRoutes = page(signedInRoutes, "SignedInRoutes");
const ViewerPage = page(() => import("../features/viewer/viewer-page.tsx"), "ViewerPage");

// Requested while the token is being checked, so that the page does not wait for it afterward.
if (storedToken() !== null) signedInRoutes().catch(() => undefined);

/** URLs for signed-in users. Any other URL below them is unknown to everyone. */
const PROTECTED =
  /^\/(dashboard|profile|pricing|projects|studies(\/[^/]+(\/samples)?)?|analysis(\/step[1-4])?)$/i;

/** Every URL of the product. Pages are loaded when first shown; /visualization, /report, and sections together do not use the shell. */
export function AppRoutes() {
  return (
    <Switch>
      <Route path="/visualization/:token">
        <Queries>
          <ViewerPage />
        </Queries>
      </Route>
      <Route path="/studies/:id/view">
        <Protected>
          <Queries>
            <TogetherPage />
          </Queries>
          <SessionExpired />
        </Protected>
      </Route>
      <Route path="/study/:token/view">
        <Queries>
          <GuestTogetherPage />
        </Queries>
      </Route>
      <Route path="/report">
        <Protected>
          <Queries>
            <ReportPage />
          </Queries>
          <SessionExpired />
        </Protected>
      </Route>
      <Route>
        <Shell>
          <ShellRoutes />
        </Shell>
      </Route>
    </Switch>
  );
}

function ShellRoutes() {
  return (
    <Switch>
      <Route path="/" component={HomePage} />
      <Route path="/about" component={AboutPage} />
      <Route path="/services" component={ServicesPage} />
      <Route path="/contact" component={ContactPage} />
      <Route path="/login" component={LoginPage} />
      <Route path="/register" component={RegisterPage} />
      <Route path="/forgot-password" component={ForgotPasswordPage} />
      <Route path="/reset-password" component={ResetPasswordPage} />
      <Route path="/verify-email" component={VerifyEmailPage} />
      <Route path="/terms" component={TermsPage} />
      <Route path="/privacy" component={PrivacyPage} />
      <Route path="/success" component={SuccessPage} />
      <Route path="/validation" component={ValidationPage} />
      <Route path="/help/:page?" component={HelpPage} />
      <Route path="/study/:token">
        <Queries>
          <GuestStudyPage />
        </Queries>
      </Route>
      <Route path={PROTECTED}>
        <Protected>
          <Queries>
            <SignedInRoutes />
          </Queries>
        </Protected>
      </Route>
      <Route path="/404" component={NotFoundPage} />
      <Route>
        <Redirect to="/404" replace />
      </Route>
    </Switch>
  );
}
