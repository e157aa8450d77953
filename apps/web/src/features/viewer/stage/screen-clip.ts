import { LayerExtension, type Layer } from "@deck.gl/core";
import type { Device } from "@luma.gl/core";
import type { ShaderModule } from "@luma.gl/shadertools";

/** From and to, as shares of the view's width. */
export type Span = readonly [number, number];

type ClipUniforms = { span: [number, number] };

const screenClip = {
  name: "screenClip",
  fs: `\
uniform screenClipUniforms {
  vec2 span;
} screenClip;
`,
  inject: {
    "fs:DECKGL_FILTER_COLOR":
      "if (gl_FragCoord.x < screenClip.span.x || gl_FragCoord.x >= screenClip.span.y) discard;",
  },
  uniformTypes: { span: "vec2<f32>" },
} as const satisfies ShaderModule<ClipUniforms>;

/** Lets a layer draw only in a part of the view's width: give it the prop `clip`. */
export class ScreenClip extends LayerExtension {
  static override extensionName = "ScreenClip";
  static override defaultProps = {
    clip: { type: "array", value: null, compare: true, optional: true },
  };

  override getShaders(): { modules: ShaderModule[] } {
    return { modules: [screenClip as unknown as ShaderModule] };
  }

  override draw(this: Layer): void {
    const { clip } = this.props as unknown as { clip: Span | null };
    this.setShaderModuleProps({ screenClip: { span: clipInPixels(clip, this.context.device) } });
  }
}

/** Device pixels between which a layer is drawn. */
export function clipInPixels(span: Span | null, device: Device): [number, number] {
  if (!span) return [-1, 1e9];
  const [width] = device.canvasContext!.getDrawingBufferSize();
  // Rounded alike for both neighbours, so that no pixel is drawn twice or left out.
  return [
    span[0] <= 0 ? -1 : Math.round(span[0] * width),
    span[1] >= 1 ? 1e9 : Math.round(span[1] * width),
  ];
}
