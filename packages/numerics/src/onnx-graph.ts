import { onnxRuntime, openSession } from "./onnx-session.ts";
import { release } from "./release.ts";

/** A two-dimensional float32 tensor: its name and its dimensions; one known only at run time is given by a name. */
export interface OnnxTensor {
  name: string;
  shape: readonly [rows: number | string, columns: number | string];
}

/** A constant matrix of the graph. */
export interface OnnxConstant {
  name: string;
  shape: readonly [rows: number, columns: number];
  data: Float32Array;
}

/** A computation on float32 matrices. */
export interface OnnxGraph {
  /** Operators in execution order: ONNX name, inputs, and output of each. */
  nodes: readonly {
    operator: string;
    inputs: readonly string[];
    output: string;
    attributes?: Record<string, number>;
  }[];
  constants?: readonly OnnxConstant[];
  inputs: readonly OnnxTensor[];
  output: OnnxTensor;
}

/** Operators as of 2022, which any later ONNX Runtime supports. */
const OPERATOR_SET = 17;
const FORMAT_VERSION = 8;
/** ONNX type codes of a tensor and of an attribute. */
const FLOAT = 1;
const INTEGER = 2;

/** The graph as an .onnx model: only the messages of the format that it needs (Protocol Buffers, onnx.proto3). */
function onnxModel({ nodes, constants = [], inputs, output }: OnnxGraph): Uint8Array {
  const graph = message(
    7,
    ...nodes.map((node) =>
      message(
        1,
        ...node.inputs.map((name) => text(1, name)),
        text(2, node.output),
        text(4, node.operator),
        ...Object.entries(node.attributes ?? {}).map(([name, value]) =>
          message(5, text(1, name), integer(3, value), integer(20, INTEGER)),
        ),
      ),
    ),
    text(2, "graph"),
    ...constants.map(({ name, shape, data }) =>
      message(
        5,
        ...shape.map((size) => integer(1, size)),
        integer(2, FLOAT),
        text(8, name),
        bytes(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
      ),
    ),
    ...inputs.map((tensor) => tensorInfo(11, tensor)),
    tensorInfo(12, output),
  );
  const operators = message(8, text(1, ""), integer(2, OPERATOR_SET));
  return Buffer.concat([integer(1, FORMAT_VERSION), graph, operators]);
}

function tensorInfo(field: number, { name, shape }: OnnxTensor): Buffer {
  const sides = shape.map((size) =>
    message(1, typeof size === "string" ? text(2, size) : integer(1, size)),
  );
  const type = message(2, message(1, integer(1, FLOAT), message(2, ...sides)));
  return message(field, text(1, name), type);
}

const VARINT = 0;
const LENGTH_DELIMITED = 2;

function integer(field: number, value: number): Buffer {
  return Buffer.from([...varint(8 * field + VARINT), ...varint(value)]);
}

function bytes(field: number, content: Buffer): Buffer {
  const head = [...varint(8 * field + LENGTH_DELIMITED), ...varint(content.length)];
  return Buffer.concat([Buffer.from(head), content]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value, "utf8"));
}

function message(field: number, ...parts: Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts));
}

/**
 * Runs a graph on row-major matrices, in the order of its inputs. Column counts are needed only where the graph leaves
 * them open.
 */
export interface GraphRun {
  (...inputs: (Float32Array | { data: Float32Array; nCols: number })[]): Promise<Float32Array>;
  /** Runs it into existing memory; the graph must specify the columns of its result. */
  into(out: Float32Array, ...inputs: Float32Array[]): Promise<void>;
}

/** Opens a graph on one thread. */
export async function openGraph(graph: OnnxGraph): Promise<GraphRun> {
  const { Tensor } = await onnxRuntime();
  const session = await openSession(onnxModel(graph));
  const tensor = (data: Float32Array, nCols: number): InstanceType<typeof Tensor> =>
    new Tensor("float32", data, [data.length / nCols, nCols]);
  const feedsOf = (values: Parameters<GraphRun>): Record<string, InstanceType<typeof Tensor>> =>
    Object.fromEntries(
      graph.inputs.map(({ name, shape }, i) => {
        const value = values[i];
        return value instanceof Float32Array
          ? [name, tensor(value, Number(shape[1]))]
          : [name, tensor(value.data, value.nCols)];
      }),
    );
  const { name, shape } = graph.output;
  const run = async (...values: Parameters<GraphRun>): Promise<Float32Array> =>
    (await session.run(feedsOf(values)))[name].data as Float32Array;
  return Object.assign(run, {
    async into(out: Float32Array, ...values: Float32Array[]) {
      const found = await session.run(feedsOf(values), { [name]: tensor(out, Number(shape[1])) });
      // The binding copies the result, too.
      const copy = found[name].data as Float32Array;
      if (copy.buffer !== out.buffer) release(copy);
    },
  });
}

/** Seven bits per byte, lowest first; the eighth bit marks that more follow. */
function varint(value: number): number[] {
  const out: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) + 128);
  return [...out, value];
}
