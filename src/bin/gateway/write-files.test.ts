import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeGatewayFiles } from './configuration.ts'

test('a configuration readable by others is replaced by a private one', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'gateway-files-'))
  const file = join(folder.path, 'nginx.conf')
  await writeFile(file, 'old', { mode: 0o644 })
  await writeFile(`${file}.new`, 'left behind', { mode: 0o644 })
  await writeGatewayFiles(folder.path, new Map([['nginx.conf', 'new']]))
  assert.deepEqual((await readdir(folder.path)).sort(), ['nginx.conf', 'tmp'])
  assert.equal(await readFile(file, 'utf8'), 'new')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
})
