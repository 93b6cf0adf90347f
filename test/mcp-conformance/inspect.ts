import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const program = join(import.meta.dirname, '../../node_modules/.bin/mcp-inspector')

/** The two ways to speak the protocol: as of 2026, and as before. */
type Era = 'modern' | 'legacy'

/** What the inspector reads from a site. It must have nothing to remark: its warnings go to the error output. */
export async function inspect<Result>(baseUrl: string, era: Era, ...question: string[]): Promise<Result> {
  await using home = await mkdtempDisposable(join(tmpdir(), 'broadside-inspector-'))
  const words = ['--cli', `${baseUrl}/mcp`, '--transport', 'http', '--protocol-era', era, '--method', ...question]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...words], {
    env: { ...process.env, HOME: home.path },
    timeout: 60_000,
    maxBuffer: 16 << 20,
  })
  assert.equal(stderr, '', `${era} ${question.join(' ')}`)
  return JSON.parse(stdout)
}
