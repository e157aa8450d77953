/**
 * Replaces the WebGPU shader reader (wgsl_reflect, a fifth of the interactive view's script), which luma.gl's Model
 * uses only with WebGPU. The view draws with WebGL.
 */
export class WgslReflect {
  constructor() {
    throw new Error("The view draws with WebGL and reads no WebGPU shaders.");
  }
}
