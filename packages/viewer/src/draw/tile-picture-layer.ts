import { BitmapLayer } from "@deck.gl/layers";

const fragmentShader = `\
#version 300 es
#define SHADER_NAME tile-picture-layer-fragment-shader
precision highp float;
uniform sampler2D bitmapTexture;
in vec2 vTexCoord;
out vec4 fragColor;
void main(void) {
  vec4 color = texture(bitmapTexture, vTexCoord);
  fragColor = vec4(color.rgb, color.a * layer.opacity);
}
`;

/**
 * Draws a tile unmodified. deck.gl's own layer also handles other projections, tints, and picking for every pixel; none
 * of these are used here, but with CPU rendering they took longer than drawing all cells.
 */
export class TilePictureLayer extends BitmapLayer {
  static override layerName = "TilePictureLayer";

  override getShaders(): object {
    return { ...(super.getShaders() as object), fs: fragmentShader };
  }
}
