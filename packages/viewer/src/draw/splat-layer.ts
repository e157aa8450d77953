import { Layer } from "@deck.gl/core";
import type { Texture } from "@luma.gl/core";
import { Model } from "@luma.gl/engine";
import { turned, UPRIGHT, type Turn } from "../geometry/turn.ts";
import { dotDefaults, dotPlace, type DotProps } from "./dot-layer.ts";
import { clipInPixels } from "./screen-clip.ts";
import { splat, type Splat } from "./splat.ts";

const vertexShader = `\
#version 300 es
#define SHADER_NAME splat-layer-vertex-shader
void main(void) {
  gl_Position = vec4(2.0 * vec2(gl_VertexID & 1, gl_VertexID >> 1) - 1.0, 0.0, 1.0);
}
`;

const fragmentShader = `\
#version 300 es
#define SHADER_NAME splat-layer-fragment-shader
precision highp float;
uniform sampler2D drawn;
out vec4 fragColor;
void main(void) {
  ivec2 place = ivec2(gl_FragCoord.xy);
  vec4 color = texelFetch(drawn, ivec2(place.x, textureSize(drawn, 0).y - 1 - place.y), 0);
  if (color.a == 0.0) discard;
  // The picture's colors are times alpha; drawing multiplies again.
  fragColor = vec4(color.rgb / color.a, color.a);
}
`;

/** As large as the largest drawing; shared by all layers because each drawing is uploaded before the next begins. */
let pixels = new Uint32Array();

/**
 * Draws the same as DotLayer, but in JavaScript, uploading one image to WebGL: for computers without a graphics card,
 * where WebGL takes about a microsecond per point.
 */
export class SplatLayer extends Layer<DotProps> {
  static override layerName = "SplatLayer";
  static override defaultProps = dotDefaults as never;
  declare state: { model?: Model; texture?: Texture; drawn?: Splat; turnedXy?: TurnedPlaces };

  override initializeState(): void {
    this.getAttributeManager()!.remove(["instancePickingColors"]);
    this.setState({
      model: new Model(this.context.device, {
        ...this.getShaders({ vs: vertexShader, fs: fragmentShader, modules: [] }),
        id: this.props.id,
        topology: "triangle-strip",
        vertexCount: 4,
      }),
    });
  }

  override finalizeState(context: Parameters<Layer["finalizeState"]>[0]): void {
    super.finalizeState(context);
    this.state.texture?.destroy();
  }

  override draw(): void {
    const { model } = this.state;
    const { data, clip, square, edgePx, opacity } = this.props;
    if (!model || data.length === 0) return;
    const { device } = this.context;
    // Pictures of a view may have fractions of a pixel, which canvases drop.
    const [width, height] = device.canvasContext!.getDrawingBufferSize().map(Math.floor) as [
      number,
      number,
    ];
    const { turn, center, unitPx, radiusPx, ratio, angle } = dotPlace(this);
    const turnedXy = turnedPlaces(data.attributes.getPosition.value, turn, this.state.turnedXy);
    const wanted: Splat = {
      xy: turnedXy.xy,
      rgba: data.attributes.getColor.value,
      center: turned(turn, ...center),
      pxPerUnit: unitPx * ratio,
      diameterPx: 2 * radiusPx * ratio,
      square,
      angle,
      edgePx: edgePx * ratio,
      opacity,
      columns: clipInPixels(clip, device),
    };
    let { texture, drawn } = this.state;
    if (!texture || texture.width !== width || texture.height !== height) {
      texture?.destroy();
      texture = device.createTexture({ format: "rgba8unorm", width, height });
      model.setBindings({ drawn: texture });
      drawn = undefined;
    }
    // Skip if the frame was redrawn for something else, such as a tissue tile.
    if (!drawn || !same(drawn, wanted)) {
      // Flush so that the tissue below is drawn in the meantime; otherwise it would wait until this script is done.
      (device.handle as WebGL2RenderingContext).flush();
      if (pixels.length < width * height) pixels = new Uint32Array(width * height);
      splat(pixels.subarray(0, width * height), width, height, wanted);
      texture.copyImageData({ data: new Uint8Array(pixels.buffer, 0, 4 * width * height) });
    }
    this.state = { model, texture, drawn: wanted, turnedXy };
    model.draw(this.context.renderPass);
  }
}

/** Places of dots as they lie on the screen, so that drawing them needs no more than shifting. */
interface TurnedPlaces {
  of: Float32Array;
  turn: Turn;
  xy: Float32Array;
}

/** O(dots) the first time. */
function turnedPlaces(of: Float32Array, turn: Turn, last: TurnedPlaces | undefined): TurnedPlaces {
  if (last?.of === of && last.turn === turn) return last;
  if (turn === UPRIGHT) return { of, turn, xy: of };
  const xy = new Float32Array(of.length);
  const [a, b, d, e] = turn;
  for (let at = 0; at < of.length; at += 2) {
    xy[at] = a * of[at]! + b * of[at + 1]!;
    xy[at + 1] = d * of[at]! + e * of[at + 1]!;
  }
  return { of, turn, xy };
}

function same(one: Splat, other: Splat): boolean {
  return (Object.keys(one) as (keyof Splat)[]).every((key) => {
    const [a, b] = [one[key], other[key]];
    return Array.isArray(a) && Array.isArray(b) ? a[0] === b[0] && a[1] === b[1] : a === b;
  });
}
