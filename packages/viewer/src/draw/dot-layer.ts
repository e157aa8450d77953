import { Layer } from "@deck.gl/core";
import { Model } from "@luma.gl/engine";
import { turnedAngle } from "../geometry/turn.ts";
import type { DotData } from "./dot-data.ts";
import { layerView, type LayerView } from "./layer-view.ts";
import { clipInPixels, type Span } from "./screen-clip.ts";
import { shaderUniforms, type UniformsOf } from "./shader-uniforms.ts";

export interface DotProps {
  data: DotData;
  /** Half the width of a dot in drawing units, clamped to the two limits in CSS pixels. */
  radius: number;
  radiusMinPx: number;
  radiusMaxPx: number;
  square: boolean;
  /** Rotation of squares, radians from x toward y. */
  angle: number;
  /** Line width if only the edge is drawn, CSS pixels; 0 = filled. */
  edgePx: number;
  /**
   * Six vertices per dot (each with position and color) instead of a point primitive: for a few dots of any size,
   * including those whose center is out of view. Fixed for a layer's lifetime.
   */
  large: boolean;
  /** Part of the view's width in which to draw; null = all of it. */
  clip: Span | null;
}

const DOT_UNIFORMS = {
  /** How the drawing lies on the screen. */
  lie: "vec4<f32>",
  center: "vec2<f32>",
  scale: "vec2<f32>",
  reach: "vec2<f32>",
  clip: "vec2<f32>",
  size: "vec2<f32>",
  turn: "vec2<f32>",
  diameterPx: "f32",
  edgePx: "f32",
  square: "f32",
  opacity: "f32",
} as const;
const dotUniforms = shaderUniforms("dots", DOT_UNIFORMS);

/** Where a dot is in clip space. */
const PLACE = `\
vec2 placeOf(vec2 position) {
  vec2 away = position - dots.center;
  return vec2(dot(dots.lie.xy, away), dot(dots.lie.zw, away)) * dots.scale;
}
`;

const POINT_SHADER = `\
#version 300 es
#define SHADER_NAME dot-layer-point-shader
in vec2 positions;
in vec4 colors;
out vec4 vColor;
flat out vec2 vMiddle;
${PLACE}
void main(void) {
  vColor = colors;
  // As wide as a turned square, and a pixel more: points are placed in coarser steps than squares must be.
  gl_PointSize = dots.square > 0.5
    ? dots.diameterPx * (abs(dots.turn.x) + abs(dots.turn.y)) + 1.0
    : dots.diameterPx;
  gl_Position = colors.a == 0.0
    ? vec4(2.0, 2.0, 2.0, 1.0)
    : vec4(placeOf(positions), 0.0, 1.0);
  vMiddle = (0.5 * gl_Position.xy + 0.5) * dots.size;
}
`;

const CORNER_SHADER = `\
#version 300 es
#define SHADER_NAME dot-layer-corner-shader
in vec2 positions;
in vec4 colors;
out vec4 vColor;
out vec2 vPlace;
${PLACE}
void main(void) {
  vColor = colors;
  // Two triangles. Without instances, which take a processor some twenty times as long.
  int corner = gl_VertexID % 6;
  vPlace = 2.0 * vec2(corner & 1, (corner > 1 && corner != 3) ? 1 : 0) - 1.0;
  vec2 turned = vec2(dot(vPlace, vec2(dots.turn.x, -dots.turn.y)), dot(vPlace, dots.turn.yx));
  gl_Position = colors.a == 0.0
    ? vec4(2.0, 2.0, 2.0, 1.0)
    : vec4(placeOf(positions) + turned * dots.reach, 0.0, 1.0);
}
`;

/** A square covers the pixels whose centers it contains, so that neighbors neither leave gaps nor overlap. */
const IN_A_POINT = `\
vec2 place = 2.0 * gl_PointCoord - 1.0;
  if (square) {
    vec2 away = vec2(2.0, -2.0) * (gl_FragCoord.xy - vMiddle) / dots.diameterPx;
    place = vec2(dot(away, dots.turn), dot(away, vec2(-dots.turn.y, dots.turn.x)));
    if (any(lessThan(place, vec2(-1.0))) || any(greaterThanEqual(place, vec2(1.0)))) discard;
  }`;

const fragmentShader = (large: boolean): string => `\
#version 300 es
#define SHADER_NAME dot-layer-fragment-shader
precision highp float;
in vec4 vColor;
${large ? "in vec2 vPlace;" : "flat in vec2 vMiddle;"}
out vec4 fragColor;
void main(void) {
  if (gl_FragCoord.x < dots.clip.x || gl_FragCoord.x >= dots.clip.y) discard;
  bool square = dots.square > 0.5;
  ${large ? "vec2 place = vPlace;" : IN_A_POINT}
  float fromEdge = 0.5 * dots.diameterPx * (1.0 - (square ? max(abs(place.x), abs(place.y)) : length(place)));
  float coverage = square || dots.diameterPx < 2.0 ? 1.0 : clamp(fromEdge + 0.5, 0.0, 1.0);
  if (dots.edgePx > 0.0) coverage *= clamp(dots.edgePx - fromEdge + 0.5, 0.0, 1.0);
  if (coverage == 0.0) discard;
  fragColor = vec4(vColor.rgb, vColor.a * dots.opacity * coverage);
}
`;

/** Default props of dots. */
export const dotDefaults = {
  radius: 1,
  radiusMinPx: 0,
  radiusMaxPx: Infinity,
  square: false,
  angle: 0,
  edgePx: 0,
  large: false,
  clip: { type: "array", value: null, compare: true, optional: true },
} as const;

/**
 * Discs or squares of one size, one vertex each. deck.gl's ScatterplotLayer runs four vertices per disc through its
 * full projection, which costs several times as much; this layer supports neither varying radii nor picking.
 */
export class DotLayer extends Layer<DotProps> {
  static override layerName = "DotLayer";
  static override defaultProps = dotDefaults as never;
  declare state: { model?: Model };

  override initializeState(): void {
    const { large } = this.props;
    const attributes = this.getAttributeManager()!;
    attributes.remove(["instancePickingColors"]);
    attributes.add({
      positions: { size: 2, type: "float32", accessor: "getPosition" },
      colors: { size: 4, type: "unorm8", accessor: "getColor" },
    });
    this.setState({
      model: new Model(this.context.device, {
        ...this.getShaders({
          vs: large ? CORNER_SHADER : POINT_SHADER,
          fs: fragmentShader(large),
          modules: [dotUniforms],
        }),
        id: this.props.id,
        bufferLayout: attributes.getBufferLayouts(),
        topology: large ? "triangle-list" : "point-list",
      }),
    });
  }

  override draw(): void {
    const { model } = this.state;
    const { data, square, edgePx, clip, opacity } = this.props;
    if (!model || data.length === 0) return;
    const { viewport, device } = this.context;
    const { width, height } = viewport;
    const { turn, center, scale, radiusPx, ratio, angle } = dotPlace(this);
    const uniforms: UniformsOf<typeof DOT_UNIFORMS> = {
      lie: [...turn],
      center,
      scale,
      reach: [(2 * radiusPx) / width, (-2 * radiusPx) / height],
      clip: clipInPixels(clip, device),
      size: device.canvasContext!.getDrawingBufferSize(),
      turn: square ? [Math.cos(angle), Math.sin(angle)] : [1, 0],
      diameterPx: 2 * radiusPx * ratio,
      edgePx: edgePx * ratio,
      square: square ? 1 : 0,
      opacity,
    };
    model.shaderInputs.setProps({ dots: uniforms });
    model.setVertexCount(data.length);
    model.draw(this.context.renderPass);
  }
}

/**
 * How a layer's dots are placed in the view; `radiusPx` is half a dot's width in CSS px, `angle` the rotation of squares on
 * the screen, within ±π/4.
 */
export function dotPlace(layer: Layer<DotProps>): LayerView & { radiusPx: number; angle: number } {
  const { radius, radiusMinPx, radiusMaxPx, angle } = layer.props;
  const view = layerView(layer);
  const onScreen = turnedAngle(view.turn, angle);
  return {
    ...view,
    angle: onScreen - (Math.PI / 2) * Math.round(onScreen / (Math.PI / 2)),
    radiusPx: Math.min(radiusMaxPx, Math.max(radiusMinPx, radius * view.unitPx)),
  };
}
