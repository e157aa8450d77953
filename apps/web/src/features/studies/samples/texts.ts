export const SAMPLES_TEXTS = {
  title: "Add samples",
  newTitle: "New study from files",
  lead: "All samples are checked before the first is uploaded. Each becomes a project of its own.",
  start: "New Study from Files",
  name: "Study name",
  dropTitle: "Drop a folder of samples here",
  dropHint:
    "A folder for each sample, and a sample sheet (CSV) if you have one. You can drop them one after the other.",
  template: "Sample sheet template",
  clear: "Start over",
  sharedTitle: "Settings of all samples",
  sharedText: "Choose “By sample” to set one in the table.",
  bySample: "By sample",
  choose: "Choose…",
  automatic: "Automatic",
  settings: {
    platform: "Platform",
    resolution: "Bin size",
    staining: "Staining",
    analysisType: "Analysis type",
    species: "Species",
    tissue: "Tissue",
  },
  tableTitle: "Samples",
  sheetRead: (name: string): string => `Read from ${name}.`,
  sample: "Sample",
  files: "Files",
  check: "Check",
  fileCount: (count: number): string => (count === 1 ? "1 file" : `${count} files`),
  leftOut: (count: number): string =>
    count === 1 ? "1 file is not needed" : `${count} files are not needed`,
  checking: "Checking…",
  ready: "Ready",
  continues: "Continues an existing project",
  nameOf: (sample: string): string => `Name of ${sample}`,
  upload: (count: number): string =>
    count === 1 ? "Add 1 sample and start" : `Add ${count} samples and start`,
  mend: "Fix or remove the rows with errors to continue.",
  failed: (reason: string): string => `Error: ${reason}`,
  closeable:
    "Keep this tab open until the files are uploaded. If it closes, drop the same folder here again: only what is missing is sent.",
  unfinished: (names: string): string =>
    `Some files of ${names} are missing. Drop their folder here to continue; samples are recognized by name.`,
};

/** Why the dropped files, or a row, cannot be taken as they are. */
export const FAULTS = {
  noFolders:
    "These files are not in folders, and none of them is a sample sheet: drop the folder that contains a folder for each sample.",
  noFiles: "The sample sheet has been read. Now drop the folder with its samples.",
  twoSheets: (names: string): string => `${names} are sample sheets: drop only one of them.`,
  emptySheet: (name: string): string => `${name} lists no samples: add a row for each.`,
  oneSample:
    "A study needs at least two samples: add another, or use New Analysis to analyze this one by itself.",
  tooMany: (max: number): string => `A study can hold ${max} samples: drop fewer.`,
  tooManyColumns: (max: number): string =>
    `A study can have ${max} columns besides condition, patient, and batch: remove some from the sheet.`,
  folderMissing: (folder: string): string =>
    `The folder ${folder || "of this sample"} is not among the dropped ones: drop it, or correct the sheet.`,
  fileMissing: (file: string): string =>
    `The file ${file} is not among the dropped ones: drop it, or correct the sheet.`,
  severalPlaces: (what: string, places: string): string =>
    `${what} is in several places (${places}): drop only one of them.`,
  choose: (setting: string): string => `Choose the ${setting}.`,
  unknown: (setting: string, value: string): string =>
    `The ${setting} "${value}" is unknown: choose another in this row.`,
  unknownInSheet: (setting: string, value: string, values: string): string =>
    `The ${setting} "${value}" is unknown: use ${values} in the sheet.`,
  noNumber: (setting: string, value: string): string =>
    `The ${setting} "${value}" is not a whole number of 0 or more: correct the sheet.`,
  notOffered: (file: string, platform: string): string =>
    `${platform} does not use ${file}: remove it from the sheet.`,
  missing: (labels: string): string => `Missing: ${labels}.`,
  inStudy: (name: string): string =>
    `The study already has a sample ${name}: rename this one, or remove the row.`,
};

export const QUOTA_TEXTS = {
  unlimited: (count: string): string => `${count}. Your plan has no limit.`,
  enough: (count: string, left: number): string => `${count}. Your plan has ${left} left.`,
  short: (count: string, left: number, price: string): string =>
    `${count}, and your plan has ${left === 0 ? "none" : left} left. The other samples are uploaded as well, and start when you have more analyses; one costs ${price}.`,
  expired: (count: string): string =>
    `${count}, and your plan has expired. Samples are uploaded, and start when you have a plan.`,
  count: (count: number): string =>
    count === 1 ? "1 sample is 1 analysis" : `${count} samples are ${count} analyses`,
  seePlans: "See plans",
};

export const PROGRESS_TEXTS = {
  title: "Samples on their way",
  text: "They run one after the other. A sample that fails does not stop the others.",
  sample: "Sample",
  state: "State",
  creating: "Being created",
  uploading: (percent: number, size: string): string => `${percent}% of ${size} uploaded`,
  progress: (name: string): string => `Upload of ${name}`,
  queueing: "Being started",
  pending: "Queued",
  processing: "Running",
  failed: "Failed: its page says why.",
  missing: (labels: string): string => `Files missing: ${labels}. Drop its folder again.`,
  ready: "Not started",
  retry: "Try again",
  retryNamed: (name: string): string => `Try ${name} again`,
  start: "Start",
  startNamed: (name: string): string => `Start ${name}`,
  addFiles: "Add files",
  notStarted: (reason: string): string => `Not started: ${reason}`,
};
