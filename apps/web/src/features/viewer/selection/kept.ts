/** What a view keeps between visits, in one file of the build. */
export { keepLooks } from "../state/kept-looks.ts";
export { keepWork } from "./kept-work.ts";
