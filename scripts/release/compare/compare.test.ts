import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempDisposableSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { compareFolders, python } from './compare.ts'

/** Differences between two archives of the same two files, after `change` altered the second copy or the order. */
async function differences(name: string, change: (folder: string) => string[] | undefined): Promise<string[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-compare-'))
  const outs = ['first', 'second'].map((build) => {
    const [files, out] = [join(folder.path, `${build}-files`), join(folder.path, build)]
    for (const path of [join(files, 'package'), out]) mkdirSync(path, { recursive: true })
    for (const file of ['a.js', 'b.js']) {
      const path = join(files, 'package', file)
      writeFileSync(path, `export const name = '${file}'\n`)
      utimesSync(path, 1_800_000_000, 1_800_000_000)
      chmodSync(path, 0o644)
    }
    const order = (build === 'second' && change(join(files, 'package'))) || ['package/a.js', 'package/b.js']
    pack(join(out, name), files, order)
    return out
  })
  return await compareFolders(String(outs[0]), String(outs[1]))
}

function pack(path: string, files: string, order: readonly string[]): void {
  const zip = 'import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], "w") as z:\n for f in sys.argv[2:]: z.write(f)'
  if (path.endsWith('.whl')) execFileSync(python, ['-c', zip, path, ...order], { cwd: files, env: { TZ: 'UTC' } })
  else execFileSync('tar', ['--use-compress-program', 'gzip -n', '-cf', path, ...order], { cwd: files })
}

const names = ['broadside-1.0.0.tgz', 'broadside-1.0.0-py3-none-any.whl']

test('builds with the same bytes have no differences', async () => {
  for (const name of names) assert.deepEqual(await differences(name, () => undefined), [])
})

test('a time that differs is reported with the entry', async () => {
  for (const name of names) {
    const found = await differences(
      name,
      (folder) => void utimesSync(join(folder, 'b.js'), 1_900_000_000, 1_900_000_000),
    )
    assert.equal(found.length, 1, found.join('\n'))
    assert.match(String(found[0]), new RegExp(`^${RegExp.escape(name)}: package/b\\.js: time .* ≠ `))
  }
})

test('a mode, a content, an order and a missing file that differ are reported with the entry', async () => {
  for (const name of names) {
    const mode = await differences(name, (folder) => chmodSync(join(folder, 'a.js'), 0o600) as undefined)
    assert.match(mode.join(), /^[^:]+: package\/a\.js: mode 0o\d*644 ≠ 0o\d*600$/)
    const content = await differences(name, (folder) => {
      writeFileSync(join(folder, 'a.js'), 'export const name = "another"\n')
      utimesSync(join(folder, 'a.js'), 1_800_000_000, 1_800_000_000)
      return undefined
    })
    assert.match(content.join(), /^[^:]+: package\/a\.js: sha256 [0-9a-f]{64} ≠ [0-9a-f]{64}$/)
    const order = await differences(name, () => ['package/b.js', 'package/a.js'])
    assert.match(order.join(), /: package\/a\.js is in another place, so the order of the entries differs$/)
    const missing = await differences(name, () => ['package/a.js'])
    assert.match(missing.join(), /: package\/b\.js is missing in the second build$/)
  }
})

test('a file that only one build has, and a text that differs, are reported', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-compare-'))
  const [first, second] = [join(folder.path, 'first'), join(folder.path, 'second')]
  for (const out of [first, second]) mkdirSync(out)
  writeFileSync(join(first, 'SHA256SUMS'), 'one')
  writeFileSync(join(second, 'SHA256SUMS'), 'two')
  writeFileSync(join(second, 'extra.txt'), '')
  assert.deepEqual(await compareFolders(first, second), [
    'SHA256SUMS: the content differs',
    'extra.txt is missing in the first build',
  ])
})
