export const PRICING_TEXTS = {
  title: "Pricing",
  text: "Pay once for a single tissue, or monthly for an ongoing study. Every plan includes the full workflow, the interactive view, and all downloads.",
  loginToSelect: "Login to Select",
  purchaseAnother: "Purchase Another",
  currentPlan: "Current Plan",
  downgrade: "Downgrade Plan",
  select: "Select Plan",
  pleaseLogin: "Please login to select a plan",
  checkoutFailed: "Failed to create checkout session",
  providerFailed: "Failed to initialize Stripe",
  paymentFailed: "Payment processing error. Please try again.",
  downgradeFailed: "Failed to schedule downgrade. Please try again.",
  downgradeScheduled: (date: string): string => `Downgrade scheduled. Will take effect on: ${date}`,
  downgradeTitle: (plan: string): string => `Downgrade to ${plan}?`,
  downgradeText: (date: string | null): string =>
    `The downgrade takes effect at the end of the current billing period${date ? `, on ${date}` : ""}. Until then, your current plan does not change.`,
  downgradeTakesBack:
    "This withdraws your cancellation, and the lower plan continues from then on.",
  scheduled: "Scheduled",
  changesTo: (plan: string, date: string): string => `Changes to ${plan} on ${date}.`,
  startsOn: (date: string): string => `Starts on ${date}, when the paid period ends.`,
  undoDowngrade: "Undo Downgrade",
  undoFailed: "Failed to undo the downgrade. Please try again.",
  undone: (plan: string): string => `The downgrade was undone. You keep ${plan}.`,
  upgrade: (charged: string, plan: string, credit: string | null): string =>
    credit === null
      ? `${charged} is charged today. Your ${plan} ends immediately.`
      : `${charged} is charged today. Your ${plan} ends immediately, and ${credit} for its unused days is credited toward your next payments.`,
  keep: "Keep Current Plan",
  confirmDowngrade: "Confirm Downgrade",
  perMonth: "/month",
  oneTime: "one-time",
  analyses: (count: number): string =>
    count === -1
      ? "Unlimited analyses"
      : count === 1
        ? "1 analysis"
        : `${count} analyses per month`,
  storage: (label: string): string => `Results stored for ${label}`,
  room: (gb: number): string => `${gb.toLocaleString("en")} GB for files and results`,
  included: [
    "Visium and HD Visium",
    "H&E and IF images",
    "Interactive view",
    "Download all results",
  ],
  scheduledAlready: (plan: string): string =>
    `Your change to ${plan} is scheduled. Undo it first to choose this plan.`,
  disabledBecause: "This is your current plan. Manage it in your profile.",
  customTitle: "Custom Analysis",
  customPrice: "On request",
  customPriceNote: "tell us what you need",
  customPoints: [
    "Analyses designed with you",
    "RNA-seq, single-cell RNA-seq, ATAC-seq",
    "Variants and neoantigens",
    "Your own pipelines and formats",
  ],
  customAction: "Contact Us",
  note: "Prices in US dollars. Stripe handles payment; card data never reaches our servers.",
};

export const SUCCESS_TEXTS = {
  title: "Payment successful",
  activating: "Activating your plan…",
  active: (plan: string): string => `Your plan is active: ${plan}.`,
  slow: "We received your payment. Activation is taking longer than usual; your plan will appear here and on the dashboard when it is active.",
  signedOut: "Thank you. Sign in to see your plan.",
  dashboard: "Go to Dashboard",
  projects: "View Projects",
};

export const PROFILE_TEXTS = {
  title: "Your Profile",
  account: "Account",
  email: "Email",
  plan: "Plan Type",
  subscription: "Subscription",
  oneTime: "One-time purchase",
  usage: "Analyses used",
  usageText: (used: number, allowed: string): string => `${used} / ${allowed}`,
  spots: "Spots analyzed so far",
  validUntil: "Valid Until",
  endDate: "Subscription End Date",
  renewsAs: (plan: string, price: string): string => `Then renews: ${plan}, ${price}`,
  continuesAs: (plan: string, price: string): string => `Then continues as ${plan}, ${price}`,
  scheduledDowngrade: (plan: string, date: string): string =>
    `Your plan changes to ${plan} on ${date}. Nothing changes until then.`,
  daysRemaining: (days: number): string =>
    days === 1 ? "1 day remaining" : `${days} days remaining`,
  status: "Status",
  trialPromptTitle: "You are on a trial",
  trialOverTitle: "Your trial has expired",
  trialPrompt: "Choose a plan to download results and keep your projects.",
  upgrade: "Upgrade Now",
  seePlans: "See Plans",
  cancel: "Cancel Subscription",
  reactivate: "Reactivate Subscription",
  endsOn: (date: string): string =>
    `Your subscription ends on ${date}. You keep full access until then.`,
  cancelTitle: "Cancel your subscription?",
  cancelText: (date: string): string =>
    `You keep access until ${date} and won't be charged again. After that, your results and new analyses require a plan.`,
  unpaid: (plan: string): string =>
    `The renewal of ${plan} could not be charged. The card is tried again over the next days, and ${plan} continues once it is accepted.`,
  stop: "Stop Further Charges",
  stopTitle: "Stop further charges?",
  stopText: (plan: string): string => `${plan} ends now, and the card is not tried again.`,
  confirmStop: "Stop Charges",
  stopFailed: "Failed to stop further charges. Please try again.",
  stopped: "Your subscription has ended. You won't be charged again.",
  keep: "Keep Subscription",
  confirmCancel: "Confirm Cancellation",
  reactivateTitle: "Reactivate your subscription?",
  reactivateText: (date: string): string => `Your plan continues and renews on ${date}.`,
  dismiss: "Cancel",
  confirmReactivate: "Confirm Reactivation",
  cancelFailed: "Failed to cancel subscription. Please try again.",
  reactivateFailed: "Failed to reactivate subscription. Please try again.",
  cancelled: "Your subscription is canceled.",
  reactivated: "Your subscription is active again.",
  history: "Transaction History",
  noHistory: "No transaction history available",
  loadFailed: "The transaction history could not be loaded.",
  columns: { plan: "Plan", date: "Date", amount: "Amount", status: "Status", receipt: "Receipt" },
  records: (count: number): string => `${count} records`,
  receipt: "Receipt",
  invoice: "Invoice",
  receiptNamed: (kind: string, plan: string, date: string): string =>
    `${kind} for ${plan}, ${date}`,
  receiptFailed: "The receipt could not be opened. Please try again.",
  succeeded: "Succeeded",
  failed: "Failed",
};
