export const DASHBOARD_TEXTS = {
  title: "Dashboard",
  newAnalysis: "New Analysis",
  manage: "Manage",
  viewAll: "View All",
  subscription: "Subscription",
  currentPlan: "Current Plan",
  status: "Status",
  daysRemaining: "Days Remaining",
  analysesRemaining: "Analyses Remaining",
  projects: "Projects",
  total: "Total",
  completed: "Completed",
  processing: "Processing",
  failed: "Failed",
  recent: "Recent Projects",
  columns: {
    name: "Project Name",
    created: "Created",
    status: "Status",
    expiry: "Storage Expiry",
  },
  empty: "No projects yet. Start your first analysis!",
  sampleHint:
    "No data yet? Try everything on a small simulated tissue. It takes about a minute and never uses one of your analyses.",
  trySample: "Try the sample dataset",
  preparingSample: "Preparing the sample dataset…",
  sampleFailed: "Error: We couldn't create the sample dataset.",
  loadFailed: "Failed to load projects. Please try again.",
  until: (date: string): string => `until ${date}`,
  renews: (date: string): string => `renews on ${date}`,
  expiring: (count: number): string =>
    count === 1
      ? "A project will soon be deleted, because its storage period ends"
      : `${count} projects will soon be deleted, because their storage periods end`,
  expiringProject: (name: string, days: number, date: string): string =>
    days <= 1
      ? `"${name}" and its results will be deleted on ${date}, within a day.`
      : `"${name}" and its results will be deleted on ${date}, in ${days} days.`,
  expiringMore: (count: number): string =>
    count === 1 ? "One more is in your project list." : `${count} more are in your project list.`,
  expiringKeep: "Download what you need, or choose a plan with longer storage.",
  expiringClosed: "Choose a plan to open these results again and download what you need.",
  expiringAction: "See Projects",
  expiringPlans: "See Plans",
};

export const PROJECTS_TEXTS = {
  title: "Your Projects",
  studies: "Studies",
  empty: "No projects yet",
  showing: (kind: string, count: number, all: number): string =>
    `${kind}: ${count} of ${all} ${all === 1 ? "project" : "projects"}`,
  showAll: "Show all",
  emptyText: "Start by creating a new analysis project",
  columns: {
    name: "Project Name",
    created: "Created",
    status: "Status",
    days: "Days Remaining",
    configuration: "Analysis Configuration",
    actions: "Actions",
  },
  search: "Search projects by name",
  sort: "Order of the projects",
  orders: {
    newest: "Newest first",
    oldest: "Oldest first",
    name: "By name",
    status: "By status",
    expiry: "Fewest days remaining first",
  },
  noneFound: (search: string): string => `No project is called “${search}”.`,
  clearSearch: "Clear search",
  rename: "Rename",
  renameNamed: (name: string): string => `Rename ${name}`,
  renameTitle: "Rename project",
  renameFailed: (reason: string): string => `Failed to rename project: ${reason}`,
  days: (days: number): string => (days === 1 ? "1 day" : `${days} days`),
  view: "View",
  viewNamed: (name: string): string => `View ${name}`,
  delete: "Delete",
  deleteNamed: (name: string): string => `Delete ${name}`,
  deleteTitle: "Delete project",
  deleteQuestion: (name: string): string =>
    `Are you sure you want to delete project ${name}? This action cannot be undone.`,
  deleteFromStudies: (names: readonly string[]): string =>
    names.length === 1
      ? `It is a sample of the study ${names[0]}, which can then be compared only after you remove the sample from it.`
      : `It is a sample of the studies ${names.join(", ")}, which can then be compared only after you remove the sample from them.`,
  deleted: (name: string): string => `Project "${name}" deleted.`,
  deleteFailed: (reason: string): string => `Failed to delete project: ${reason}`,
};

export const PROGRESS_TEXTS = {
  queued: "In the queue",
  position: (position: number): string => `Position ${position}`,
  wait: (minutes: number): string =>
    minutes === 1 ? "about 1 minute remaining" : `about ${minutes} minutes remaining`,
  step: (number: number, name: string): string => `Step ${number}: ${name}`,
  starting: "Starting…",
  completed: "The analysis is complete.",
  failed: "The analysis failed.",
  canceled: "The run was canceled.",
  overall: "Overall progress",
  percent: (percent: number): string => `${percent}%`,
  toResults: "View Results",
  toWorkflow: "Open Workflow",
  checkFailed: (reason: string): string => `Error checking status: ${reason}`,
  mayLeave: "You can leave this page. The analysis keeps running.",
};

export const PROJECT_STATUS_NAMES: Record<string, string> = {
  created: "Created",
  pending: "Queued",
  processing: "Processing",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Canceled",
};
