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

/** The first is faster, the second needs no binary. Neither is a dependency: only who brings a model needs one. */
const packages = ['onnxruntime-node', 'onnxruntime-web']

/** Loads the runtime that is installed. */
export async function loadRuntime(names: readonly string[] = packages): Promise<Runtime> {
  for (const name of names) {
    const loaded = await import(name).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_MODULE_NOT_FOUND') return null
      throw error
    })
    if (loaded) return (loaded.InferenceSession ? loaded : loaded.default) as Runtime
  }
  throw new Error(`A model in ONNX needs a runtime: npm install ${names.join(', or: npm install ')}`)
}
