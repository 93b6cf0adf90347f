import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '../../..')

test('the library is small, has no dependencies and needs nothing that only Node has', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-size-'))
  // As in the build of the package.
  const options = ['--declaration', 'false', '--removeComments', '--outDir', folder.path]
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, 'clients/typescript'), ...options])
  for (const [entry, limit] of [
    ['index.js', 12_000],
    ['verify/index.js', 16_500],
  ] as const) {
    const text = withImports(join(folder.path, entry))
    assert.doesNotMatch(text, /\bBuffer\b|\brequire\(|\b__dirname\b|\bimport\.meta\b/)
    const { length } = gzipSync(text)
    assert.ok(length > 4_000 && length < limit, `${entry}: ${length} bytes`)
  }
})

/** The text of a file and of all that it imports. */
function withImports(entry: string): string {
  const files = new Map<string, string>()
  const visit = (path: string) => {
    if (files.has(path)) return
    const text = readFileSync(path, 'utf8')
    files.set(path, text)
    for (const [, to = ''] of text.matchAll(/\b(?:from|import\()\s*'([^']+)'/g)) {
      assert.match(to, /^\.\.?\//, `${path} imports ${to}`)
      visit(join(dirname(path), to))
    }
  }
  visit(entry)
  return [...files.values()].join('')
}
