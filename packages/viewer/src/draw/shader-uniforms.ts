import type { ShaderModule } from "@luma.gl/shadertools";

/** What GLSL calls the types of uniforms. */
const IN_GLSL = { f32: "float", "vec2<f32>": "vec2", "vec4<f32>": "vec4" } as const;
type UniformTypes = Readonly<Record<string, keyof typeof IN_GLSL>>;

interface Values {
  f32: number;
  "vec2<f32>": [number, number];
  "vec4<f32>": [number, number, number, number];
}

/** The values of uniforms of these types. */
export type UniformsOf<Types extends UniformTypes> = {
  -readonly [N in keyof Types]: Values[Types[N]];
};

/** Uniforms that both shaders of a layer read as members of `name`. */
export function shaderUniforms<const Types extends UniformTypes>(
  name: string,
  uniformTypes: Types,
) {
  const members = Object.entries(uniformTypes).map(
    ([member, type]) => `${IN_GLSL[type]} ${member};`,
  );
  const block = `uniform ${name}Uniforms {\n${members.join("\n")}\n} ${name};\n`;
  return { name, vs: block, fs: block, uniformTypes } as const satisfies ShaderModule;
}
