import { Redirect, Route, Switch } from "wouter";
import { lazyPart as page } from "../app/load-code.ts";

const PricingPage = page(() => import("../features/billing/pricing-page.tsx"), "PricingPage");
const ProfilePage = page(() => import("./profile-page.tsx"), "ProfilePage");
const DashboardPage = page(
  () => import("../features/projects/dashboard-page.tsx"),
  "DashboardPage",
);
const ProjectsPage = page(() => import("../features/projects/projects-page.tsx"), "ProjectsPage");
const StudiesPage = page(() => import("../features/studies/studies-page.tsx"), "StudiesPage");
const StudyPage = page(() => import("../features/studies/study-page.tsx"), "StudyPage");
const SamplesPage = page(
  () => import("../features/studies/samples/samples-page.tsx"),
  "SamplesPage",
);
const AnalysisLayout = page(
  () => import("../features/analysis-setup/analysis-layout.tsx"),
  "AnalysisLayout",
);
const Step1Page = page(() => import("../features/analysis-setup/step1-page.tsx"), "Step1Page");
const Step2Page = page(() => import("../features/upload/step2-page.tsx"), "Step2Page");
const Step3Page = page(() => import("../features/workflow/step3-page.tsx"), "Step3Page");
const Step4Page = page(() => import("../features/results/step4-page.tsx"), "Step4Page");

/**
 * The pages of signed-in users within the shell. Apart from the other routes because the list of files that these pages
 * need is long, and visitors need none of it.
 */
export function SignedInRoutes() {
  return (
    <Switch>
      <Route path="/dashboard" component={DashboardPage} />
      <Route path="/profile" component={ProfilePage} />
      <Route path="/pricing" component={PricingPage} />
      <Route path="/projects" component={ProjectsPage} />
      <Route path="/studies" component={StudiesPage} />
      <Route path="/studies/new" component={SamplesPage} />
      <Route path="/studies/:id" component={StudyPage} />
      <Route path="/studies/:id/samples" component={SamplesPage} />
      <Route>
        <AnalysisLayout>
          <Switch>
            <Route path="/analysis/step1" component={Step1Page} />
            <Route path="/analysis/step2" component={Step2Page} />
            <Route path="/analysis/step3" component={Step3Page} />
            <Route path="/analysis/step4" component={Step4Page} />
            <Route>
              <Redirect to="/analysis/step1" replace />
            </Route>
          </Switch>
        </AnalysisLayout>
      </Route>
    </Switch>
  );
}
