/** An input or output tensor. */
export type Tensor = { data: ArrayLike<number | bigint>; dims: readonly number[] }

export type Session = {
  inputNames: readonly string[]
  outputNames: readonly string[]
  run(inputs: Record<string, Tensor>): Promise<Record<string, Tensor>>
  release?(): Promise<void>
}

/** The subset of a runtime that we need. All ONNX packages share this interface. */
export type Runtime = {
  InferenceSession: { create(model: Uint8Array): Promise<Session> }
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor
}

/** Loaded on demand, because its binary takes a tenth of a second to load. */
export async function loadRuntime(): Promise<Runtime> {
  return (await import('onnxruntime-node')) as unknown as Runtime
}
