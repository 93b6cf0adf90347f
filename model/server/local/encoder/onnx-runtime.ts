/** A table of numbers that goes in or comes out. */
export type Tensor = { data: ArrayLike<number | bigint>; dims: readonly number[] }

export type Session = {
  inputNames: readonly string[]
  outputNames: readonly string[]
  run(inputs: Record<string, Tensor>): Promise<Record<string, Tensor>>
  release?(): Promise<void>
}

/** What is needed of a runtime: the packages of ONNX all look like this. */
export type Runtime = {
  InferenceSession: { create(model: Uint8Array): Promise<Session> }
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor
}

/** Loaded where it is used: its binary takes a tenth of a second. */
export async function loadRuntime(): Promise<Runtime> {
  return (await import('onnxruntime-node')) as unknown as Runtime
}
