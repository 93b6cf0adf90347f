/** Writes ONNX models with the few protobuf messages that they need. The field numbers are those of onnx.proto. */

const floatType = 1

export class OnnxGraph {
  readonly #nodes: Buffer[] = []
  readonly #initializers: Buffer[] = []
  #names = 0

  /** Adds an operator and returns the name of its only output. */
  op(type: string, inputs: readonly string[], attributes: Record<string, number> = {}): string {
    const name = this.#name()
    this.#nodes.push(
      message(1, [
        ...inputs.map((input) => bytes(1, input)),
        bytes(2, name),
        bytes(4, type),
        ...Object.entries(attributes).map(([key, value]) => message(5, [bytes(1, key), int(3, value), int(20, 2)])),
      ]),
    )
    return name
  }

  /** Names an operator's output as an output of the model. */
  output(name: string, from: string): void {
    this.#nodes.push(message(1, [bytes(1, from), bytes(2, name), bytes(4, 'Identity')]))
  }

  floats(dims: readonly number[], values: Iterable<number>): string {
    const name = this.#name()
    const { buffer, byteOffset, byteLength } = Float32Array.from(values)
    const raw = bytes(9, Buffer.from(buffer, byteOffset, byteLength))
    this.#initializers.push(message(5, [...dims.map((size) => int(1, size)), int(2, floatType), bytes(8, name), raw]))
    return name
  }

  /** The bytes of the model. A dimension given as a name can have any length. */
  print(io: { input: Tensor; output: Tensor }): Buffer {
    const graph = message(7, [
      ...this.#nodes,
      bytes(2, 'broadside'),
      ...this.#initializers,
      valueInfo(11, io.input),
      valueInfo(12, io.output),
    ])
    const operators = message(8, [bytes(1, ''), int(2, 17)])
    return Buffer.concat([int(1, 8), bytes(2, 'broadside'), graph, operators])
  }

  #name(): string {
    return `t${this.#names++}`
  }
}

type Tensor = { name: string; dims: readonly (number | string)[] }

function valueInfo(field: number, { name, dims }: Tensor): Buffer {
  const shape = message(
    2,
    dims.map((size) => message(1, [typeof size === 'number' ? int(1, size) : bytes(2, size)])),
  )
  const tensor = message(1, [int(1, floatType), shape])
  return message(field, [bytes(1, name), message(2, [tensor])])
}

function varint(value: number): Buffer {
  const out: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...out, rest])
    out.push((rest % 128) | 128)
  }
}

const int = (field: number, value: number) => Buffer.concat([varint(field << 3), varint(value)])

const bytes = (field: number, value: string | Buffer) =>
  Buffer.concat([varint((field << 3) | 2), varint(Buffer.byteLength(value)), Buffer.from(value as string)])

const message = (field: number, parts: readonly Buffer[]) => bytes(field, Buffer.concat(parts))
