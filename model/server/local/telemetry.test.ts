import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** Runs a module in a process that cannot write anywhere. There, the runtime reports that it has no place for its data. */
async function errorsOf(code: string): Promise<string> {
  // CI and ORT_… would also turn the data collection off.
  const places = { HOME: '/proc', TMPDIR: '/proc', XDG_DATA_HOME: '/proc', XDG_CACHE_HOME: '/proc' }
  const options = { cwd: '/proc', env: { PATH: process.env['PATH'], ...places } }
  const { stderr } = await promisify(execFile)(process.execPath, ['--eval', code], options)
  return stderr
}

const runtime = import.meta.resolve('onnxruntime-node')
const encoder = new URL('../../weights/encoder/encoder.onnx', import.meta.url).pathname

test('ONNX Runtime collects no usage data, neither in the threads of the model nor in the encoder alone', async () => {
  const bare = `import { InferenceSession } from '${runtime}'; await InferenceSession.create('${encoder}')`
  assert.match(await errorsOf(bare), /telemetry/, 'the runtime alone collects it')
  const model = import.meta.resolve('./open-local-model.ts')
  const opening = `import { openLocalModel } from '${model}'; await using model = await openLocalModel({ threads: 1 })`
  assert.equal(await errorsOf(opening), '')
  const embedding = import.meta.resolve('./encoder/embed.ts')
  assert.equal(await errorsOf(`import { openEmbedder } from '${embedding}'; await openEmbedder()`), '')
})
