/** Writes ONNX models with the few protobuf messages that they need. The field numbers are those of onnx.proto. */

const floatType = 1
const int64Type = 7

type Attribute = number | readonly number[] | { float: number }

export class OnnxGraph {
  readonly #nodes: Buffer[] = []
  readonly #initializers: Buffer[] = []
  #names = 0

  /** Adds an operator and returns the name of its only output. */
  op(type: string, inputs: readonly string[], attributes: Record<string, Attribute> = {}): string {
    return this.ops(type, inputs, attributes, 1)[0] as string
  }

  /** Adds an operator and returns the names of all its outputs. */
  ops(type: string, inputs: readonly string[], attributes: Record<string, Attribute>, outputs: number): string[] {
    const names = Array.from({ length: outputs }, () => this.#name())
    this.#nodes.push(
      message(1, [
        ...inputs.map((name) => bytes(1, name)),
        ...names.map((name) => bytes(2, name)),
        bytes(4, type),
        ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
      ]),
    )
    return names
  }

  /** Names an operator's output as an output of the model. */
  output(name: string, from: string): void {
    this.#nodes.push(message(1, [bytes(1, from), bytes(2, name), bytes(4, 'Identity')]))
  }

  floats(dims: readonly number[], values: Iterable<number>): string {
    return this.#tensor(floatType, dims, Float32Array.from(values))
  }

  ints(...values: number[]): string {
    return this.#tensor(int64Type, [values.length], BigInt64Array.from(values.map(BigInt)))
  }

  int(value: number): string {
    return this.#tensor(int64Type, [], BigInt64Array.of(BigInt(value)))
  }

  /** The bytes of the model. A dimension given as a name can have any length. */
  print(io: { input: TensorType & { name: string }; output: TensorType & { name: string } }): Buffer {
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

  #tensor(type: number, dims: readonly number[], array: Float32Array | BigInt64Array): string {
    const name = this.#name()
    const raw = Buffer.from(array.buffer, array.byteOffset, array.byteLength)
    this.#initializers.push(
      message(5, [...dims.map((size) => int(1, size)), int(2, type), bytes(8, name), bytes(9, raw)]),
    )
    return name
  }

  #name(): string {
    return `t${this.#names++}`
  }
}

type TensorType = { type: 'float' | 'int64'; dims: readonly (number | string)[] }

function valueInfo(field: number, { name, type, dims }: TensorType & { name: string }): Buffer {
  const shape = message(
    2,
    dims.map((size) => message(1, [typeof size === 'number' ? int(1, size) : bytes(2, size)])),
  )
  const tensor = message(1, [int(1, type === 'float' ? floatType : int64Type), shape])
  return message(field, [bytes(1, name), message(2, [tensor])])
}

function attribute(name: string, value: Attribute): Buffer {
  if (typeof value === 'number') return message(5, [bytes(1, name), int(3, value), int(20, 2)])
  if ('float' in value) return message(5, [bytes(1, name), float(2, value.float), int(20, 1)])
  return message(5, [bytes(1, name), ...value.map((one) => int(8, one)), int(20, 7)])
}

function varint(value: number): Buffer {
  const out: number[] = []
  // Negative numbers take ten bytes, because they are encoded as unsigned 64-bit numbers.
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...out, Number(rest)])
    out.push(Number(rest & 127n) | 128)
  }
}

const int = (field: number, value: number) => Buffer.concat([varint(field << 3), varint(value)])

function bytes(field: number, value: string | Uint8Array): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(Buffer.byteLength(value)), Buffer.from(value as string)])
}

function float(field: number, value: number): Buffer {
  const four = Buffer.alloc(4)
  four.writeFloatLE(value)
  return Buffer.concat([varint((field << 3) | 5), four])
}

const message = (field: number, parts: readonly Buffer[]) => bytes(field, Buffer.concat(parts))
