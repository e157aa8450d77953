import { Layer, type UpdateParameters } from "@deck.gl/core";
import { Buffer } from "@luma.gl/core";
import { Model } from "@luma.gl/engine";
import { layerView } from "./layer-view.ts";
import { LONGEST_MITER } from "./outline-mesh.ts";
import type { OutlineMesh } from "./outline-shape.ts";
import { clipInPixels, type Span } from "./screen-clip.ts";
import { shaderUniforms, type UniformsOf } from "./shader-uniforms.ts";

interface OutlineProps {
  /** Not uploaded again if it is the same object. */
  mesh: OutlineMesh;
  /** Color of each mesh vertex; likewise. */
  rgba: Uint8Array;
  /** CSS pixels. */
  lineWidthPx: number;
  areaOpacity: number;
  lineOpacity: number;
  /** Part of the view's width in which to draw; null = all of it. */
  clip: Span | null;
}

const OUTLINE_UNIFORMS = {
  /** How the drawing lies on the screen. */
  lie: "vec4<f32>",
  center: "vec2<f32>",
  scale: "vec2<f32>",
  /** From a line's center to its sides, in clip space; zero for areas. */
  reach: "vec2<f32>",
  clip: "vec2<f32>",
  /** From a line's center to its sides, and half the visible line width, in device pixels. */
  sidePx: "f32",
  halfPx: "f32",
  opacity: "f32",
} as const;
const outlineUniforms = shaderUniforms("outlines", OUTLINE_UNIFORMS);

const vertexShader = `\
#version 300 es
#define SHADER_NAME outline-layer-vertex-shader
in vec2 positions;
in vec2 miters;
in vec4 colors;
out vec4 vColor;
out float vAcross;
vec2 onScreen(vec2 along) {
  return vec2(dot(outlines.lie.xy, along), dot(outlines.lie.zw, along));
}
void main(void) {
  vColor = colors;
  vAcross = outlines.sidePx * ((gl_VertexID & 1) == 0 ? 1.0 : -1.0);
  vec2 place = onScreen(positions - outlines.center) * outlines.scale + onScreen(miters) * ${LONGEST_MITER.toFixed(1)} * outlines.reach;
  gl_Position = colors.a == 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : vec4(place, 0.0, 1.0);
}
`;

const fragmentShader = `\
#version 300 es
#define SHADER_NAME outline-layer-fragment-shader
precision highp float;
in vec4 vColor;
in float vAcross;
out vec4 fragColor;
void main(void) {
  if (gl_FragCoord.x < outlines.clip.x || gl_FragCoord.x >= outlines.clip.y) discard;
  float coverage = clamp(outlines.halfPx + 0.5 - abs(vAcross), 0.0, 1.0);
  fragColor = vec4(vColor.rgb, vColor.a * outlines.opacity * coverage);
}
`;

const defaultProps = {
  mesh: { type: "object", value: null },
  rgba: { type: "object", value: null },
  lineWidthPx: 1,
  areaOpacity: 1,
  lineOpacity: 1,
  clip: { type: "array", value: null, compare: true, optional: true },
} as const;

interface OutlineBuffers {
  positions: Buffer;
  miters: Buffer;
  areas: Buffer;
  lines: Buffer;
}

/**
 * Cell outlines: filled areas and lines along them. deck.gl's polygon and path layers draw one instance per vertex,
 * which takes seconds with CPU rendering; this layer needs two draw calls.
 */
export class OutlineLayer extends Layer<OutlineProps> {
  static override layerName = "OutlineLayer";
  static override defaultProps = defaultProps as never;
  declare state: { model?: Model; buffers?: OutlineBuffers; colors?: Buffer };

  override initializeState(): void {
    this.getAttributeManager()!.remove(["instancePickingColors"]);
    const model = new Model(this.context.device, {
      ...this.getShaders({ vs: vertexShader, fs: fragmentShader, modules: [outlineUniforms] }),
      id: this.props.id,
      bufferLayout: [
        { name: "positions", format: "float32x2" },
        { name: "miters", format: "snorm16x2" },
        { name: "colors", format: "unorm8x4" },
      ],
      topology: "triangle-list",
    });
    this.setState({ model });
  }

  override updateState({ props, oldProps }: UpdateParameters<this>): void {
    const { model, buffers, colors } = this.state;
    const { device } = this.context;
    if (!model) return;
    if (!buffers || props.mesh !== oldProps.mesh) {
      const { places, miters, areas, lines } = props.mesh;
      destroy(buffers);
      const made: OutlineBuffers = {
        positions: device.createBuffer({ data: places }),
        miters: device.createBuffer({ data: miters }),
        areas: device.createBuffer({ data: areas, usage: Buffer.INDEX }),
        lines: device.createBuffer({ data: lines, usage: Buffer.INDEX }),
      };
      model.setAttributes({ positions: made.positions, miters: made.miters });
      this.setState({ buffers: made });
    }
    if (!colors || props.rgba !== oldProps.rgba) {
      colors?.destroy();
      const made = device.createBuffer({ data: props.rgba });
      model.setAttributes({ colors: made });
      this.setState({ colors: made });
    }
  }

  override finalizeState(context: Parameters<Layer["finalizeState"]>[0]): void {
    super.finalizeState(context);
    destroy(this.state.buffers);
    this.state.colors?.destroy();
  }

  override draw(): void {
    const { model, buffers } = this.state;
    const { mesh, lineWidthPx, areaOpacity, lineOpacity, clip } = this.props;
    if (!model || !buffers || mesh.length === 0) return;
    const { viewport, device } = this.context;
    const { width, height } = viewport;
    const { turn, center, scale, ratio } = layerView(this);
    const shared = {
      lie: [...turn] as [number, number, number, number],
      center,
      scale,
      clip: clipInPixels(clip, device),
      halfPx: (lineWidthPx * ratio) / 2,
    };
    const draw = (
      uniforms: UniformsOf<typeof OUTLINE_UNIFORMS>,
      indices: Buffer,
      count: number,
    ) => {
      model.shaderInputs.setProps({ outlines: uniforms });
      model.setIndexBuffer(indices);
      model.setVertexCount(count);
      model.draw(this.context.renderPass);
    };
    draw(
      // Areas are covered whole, however thin the lines.
      { ...shared, halfPx: 1, reach: [0, 0], sidePx: 0, opacity: areaOpacity },
      buffers.areas,
      mesh.areas.length,
    );
    // Half a device pixel more on each side, over which the line fades out.
    const sidePx = shared.halfPx + 0.5;
    draw(
      {
        ...shared,
        reach: [(2 * sidePx) / ratio / width, (-2 * sidePx) / ratio / height],
        sidePx,
        opacity: lineOpacity,
      },
      buffers.lines,
      mesh.lines.length,
    );
  }
}

function destroy(buffers: OutlineBuffers | undefined): void {
  for (const buffer of Object.values(buffers ?? {}) as Buffer[]) buffer.destroy();
}
