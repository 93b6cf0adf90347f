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

/**
 * ONNX Runtime 1.29 and newer sends usage data to its maker unless this variable is set before the first session. Call
 * it in the main thread: a worker thread changes only its own copy of the environment.
 */
export function turnTelemetryOff(): void {
  process.env['ORT_DISABLE_TELEMETRY'] = '1'
}

/** Loaded on demand, because its binary takes a tenth of a second to load. */
export async function loadRuntime(): Promise<Runtime> {
  turnTelemetryOff()
  return (await import('onnxruntime-node')) as unknown as Runtime
}
