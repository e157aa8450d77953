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
 * A tile as it is. What deck.gl's own layer asks of every pixel besides (other projections, tints, who is under the pointer) is
 * never so here, but a processor that draws in a graphics card's place took longer over it than over all cells.
 */
export class TilePictureLayer extends BitmapLayer {
  static override layerName = "TilePictureLayer";

  override getShaders(): object {
    return { ...(super.getShaders() as object), fs: fragmentShader };
  }
}
