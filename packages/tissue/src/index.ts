export { DEFAULT_OPTIONS, tissueOptions, type TissueOptions } from "./options.ts";
export { simulateTissue, type SimulatedTissue, type SimulateRequest } from "./simulate-tissue.ts";
