import { lazy, type ComponentType } from "react";
import { Navigate, Route, Routes } from "react-router";
import { Protected } from "./protected.tsx";
import { Shell } from "./shell.tsx";

/** Loads a page's module when it is first shown. */
function page<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ComponentType {
  return lazy(async () => ({ default: (await load())[name] as ComponentType }));
}

const Queries = page(() => import("./queries.tsx"), "Queries");

const HomePage = page(() => import("../features/marketing/home-page.tsx"), "HomePage");
const AboutPage = page(() => import("../features/marketing/about-page.tsx"), "AboutPage");
const ServicesPage = page(() => import("../features/marketing/services-page.tsx"), "ServicesPage");
const ContactPage = page(() => import("../features/marketing/contact-page.tsx"), "ContactPage");
const TermsPage = page(() => import("../features/marketing/terms-page.tsx"), "TermsPage");
const PrivacyPage = page(() => import("../features/marketing/privacy-page.tsx"), "PrivacyPage");
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
const PricingPage = page(() => import("../features/billing/pricing-page.tsx"), "PricingPage");
const SuccessPage = page(() => import("../features/billing/success-page.tsx"), "SuccessPage");
const ProfilePage = page(() => import("../features/billing/profile-page.tsx"), "ProfilePage");
const DashboardPage = page(
  () => import("../features/projects/dashboard-page.tsx"),
  "DashboardPage",
);
const ProjectsPage = page(() => import("../features/projects/projects-page.tsx"), "ProjectsPage");
const AnalysisLayout = page(
  () => import("../features/analysis-setup/analysis-layout.tsx"),
  "AnalysisLayout",
);
const Step1Page = page(() => import("../features/analysis-setup/step1-page.tsx"), "Step1Page");
const Step2Page = page(() => import("../features/upload/step2-page.tsx"), "Step2Page");
const Step3Page = page(() => import("../features/workflow/step3-page.tsx"), "Step3Page");
const Step4Page = page(() => import("../features/results/step4-page.tsx"), "Step4Page");
const ViewerPage = page(() => import("../features/viewer/viewer-page.tsx"), "ViewerPage");

/** Every address of the product. Pages are loaded when shown; /visualization stands alone, without the shell. */
export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Queries />}>
        <Route path="/visualization/:token" element={<ViewerPage />} />
      </Route>
      <Route element={<Shell />}>
        <Route index element={<HomePage />} />
        <Route path="/about" element={<AboutPage />} />
        <Route path="/services" element={<ServicesPage />} />
        <Route path="/contact" element={<ContactPage />} />
        <Route path="/login" element={<LoginPage />} />
        <Route path="/register" element={<RegisterPage />} />
        <Route path="/forgot-password" element={<ForgotPasswordPage />} />
        <Route path="/reset-password" element={<ResetPasswordPage />} />
        <Route path="/terms" element={<TermsPage />} />
        <Route path="/privacy" element={<PrivacyPage />} />
        <Route path="/success" element={<SuccessPage />} />
        <Route path="/validation" element={<ValidationPage />} />
        <Route element={<Protected />}>
          <Route element={<Queries />}>
            <Route path="/dashboard" element={<DashboardPage />} />
            <Route path="/profile" element={<ProfilePage />} />
            <Route path="/pricing" element={<PricingPage />} />
            <Route path="/projects" element={<ProjectsPage />} />
            <Route path="/analysis" element={<AnalysisLayout />}>
              <Route index element={<Navigate to="/analysis/step1" replace />} />
              <Route path="step1" element={<Step1Page />} />
              <Route path="step2" element={<Step2Page />} />
              <Route path="step3" element={<Step3Page />} />
              <Route path="step4" element={<Step4Page />} />
            </Route>
          </Route>
        </Route>
        <Route path="/404" element={<NotFoundPage />} />
        <Route path="*" element={<Navigate to="/404" replace />} />
      </Route>
    </Routes>
  );
}
