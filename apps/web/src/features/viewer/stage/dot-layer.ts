import { Layer } from "@deck.gl/core";
import { Model } from "@luma.gl/engine";
import type { ShaderModule } from "@luma.gl/shadertools";

/** Arrays of `length` dots. Keep the object (and its parts) as long as nothing changes: a new one is uploaded anew. */
export interface DotData {
  length: number;
  attributes: {
    /** x, y in the units of an orthographic view with y downwards. */
    getPosition: { value: Float32Array; size: 2 };
    /** Red, green, blue, alpha; alpha 0 is not drawn. */
    getColor: { value: Uint8Array; size: 4; normalized: true };
  };
}

interface DotProps {
  data: DotData;
  /** CSS pixels. */
  radiusPx: number;
}

type DotUniforms = {
  center: [number, number];
  scale: [number, number];
  diameterPx: number;
  opacity: number;
};

const dotUniforms = {
  name: "dots",
  vs: `\
uniform dotsUniforms {
  vec2 center;
  vec2 scale;
  float diameterPx;
  float opacity;
} dots;
`,
  fs: `\
uniform dotsUniforms {
  vec2 center;
  vec2 scale;
  float diameterPx;
  float opacity;
} dots;
`,
  uniformTypes: {
    center: "vec2<f32>",
    scale: "vec2<f32>",
    diameterPx: "f32",
    opacity: "f32",
  },
} as const satisfies ShaderModule<DotUniforms>;

const VERTEX = `\
#version 300 es
#define SHADER_NAME dot-layer-vertex-shader
in vec2 positions;
in vec4 colors;
out vec4 vColor;
void main(void) {
  vColor = colors;
  gl_PointSize = dots.diameterPx;
  gl_Position = colors.a == 0.0
    ? vec4(2.0, 2.0, 2.0, 1.0)
    : vec4((positions - dots.center) * dots.scale, 0.0, 1.0);
}
`;

const FRAGMENT = `\
#version 300 es
#define SHADER_NAME dot-layer-fragment-shader
precision highp float;
in vec4 vColor;
out vec4 fragColor;
void main(void) {
  float fromEdge = 0.5 * dots.diameterPx * (1.0 - length(2.0 * gl_PointCoord - 1.0));
  float coverage = dots.diameterPx < 2.0 ? 1.0 : clamp(fromEdge + 0.5, 0.0, 1.0);
  if (coverage == 0.0) discard;
  fragColor = vec4(vColor.rgb, vColor.a * dots.opacity * coverage);
}
`;

/**
 * Discs of one size, one vertex each. deck.gl's own ScatterplotLayer draws four vertices through its full projection for
 * every disc, which costs several times as much; radii that differ, strokes and picking are what this one goes without.
 */
export class DotLayer extends Layer<DotProps> {
  static override layerName = "DotLayer";
  declare state: { model?: Model };

  override initializeState(): void {
    const attributes = this.getAttributeManager()!;
    attributes.add({
      positions: { size: 2, type: "float32", accessor: "getPosition" },
      colors: { size: 4, type: "unorm8", accessor: "getColor" },
    });
    this.setState({
      model: new Model(this.context.device, {
        ...this.getShaders({ vs: VERTEX, fs: FRAGMENT, modules: [dotUniforms] }),
        id: this.props.id,
        bufferLayout: attributes.getBufferLayouts(),
        topology: "point-list",
      }),
    });
  }

  override draw(): void {
    const { model } = this.state;
    if (!model) return;
    const { viewport, device } = this.context;
    const { width, height, zoom } = viewport;
    const unit = 2 ** zoom;
    const [x, y] = viewport.unproject([width / 2, height / 2]) as [number, number];
    const uniforms: DotUniforms = {
      center: [x, y],
      scale: [(2 * unit) / width, (-2 * unit) / height],
      diameterPx: 2 * this.props.radiusPx * device.canvasContext!.cssToDeviceRatio(),
      opacity: this.props.opacity,
    };
    model.shaderInputs.setProps({ dots: uniforms });
    model.setVertexCount(this.props.data.length);
    model.draw(this.context.renderPass);
  }
}
