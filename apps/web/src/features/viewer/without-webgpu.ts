/**
 * Stands in for the reader of WebGPU shaders (wgsl_reflect, a fifth of the interactive view's script), which luma.gl
 * asks for its Model on WebGPU only. The view draws with WebGL.
 */
export class WgslReflect {
  constructor() {
    throw new Error("The view draws with WebGL and reads no WebGPU shaders.");
  }
}
