export { graphics } from "./draw/graphics.ts";
export { openChannels, type ChannelLayers } from "./layers/channels.ts";
export type { DrawnRegion } from "./draw/region-mesh.ts";
export type { SpotContent } from "./draw/spot-drawings.ts";
export type { Scene, SceneContent, SceneEvents } from "./scene/interface.ts";
export { createScene, type SceneProject } from "./scene/scene.ts";
