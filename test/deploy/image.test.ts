import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEnv, promisify } from 'node:util'
import { fontPackages } from '../../src/publishing/cards/fonts.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { nightly } from '../../tooling/test-length.ts'
import { copyImageFiles, isInImage, repositoryFiles } from '../support/deploy/image-files.ts'

test('the image has no tests, no training data and no secrets', () => {
  const inside = repositoryFiles.filter(isInImage)
  assert(inside.includes('src/bin/broadside.ts') && inside.includes('deploy/nginx/nginx.conf.template'))
  assert(inside.some((path) => path.startsWith('model/weights/')))
  for (const folder of ['model/data', 'model/train', 'model/eval', 'clients/typescript/src/cli', 'deploy/systemd'])
    assert(!inside.some((path) => path.startsWith(`${folder}/`)), folder)
  assert.deepEqual(
    inside.filter((path) => path.endsWith('.test.ts')),
    [],
  )
  for (const path of ['deploy/secrets/SECRETS_KEYS', 'deploy/compose.env', '.git/config', '.broadside/development.env'])
    assert(!isInImage(path), path)
})

test('the image and scripts/setup install the fonts for cards', () => {
  for (const path of ['deploy/Dockerfile', 'scripts/setup'])
    for (const name of fontPackages)
      assert.match(readFileSync(join(repoDir, path), 'utf8'), new RegExp(`\\b${name}\\b`), path)
})

test('the files of the image are all that the program needs to write its documents', nightly, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-image-files-'))
  try {
    copyImageFiles(folder)
    const settings = parseEnv(readFileSync(join(repoDir, 'deploy/compose.env.example'), 'utf8'))
    const env = { PATH: process.env['PATH'], ...settings, PAGES_DIRECTORY: join(folder, 'pages') }
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, [join(folder, 'src/bin/broadside.ts'), 'documents'], { env })
    assert.match(stdout, /"files_written":[1-9]/)
    // Every sub-command is loaded for the help.
    const help = await run(process.execPath, [join(folder, 'src/bin/broadside.ts'), '--help'], { env })
    assert.match(help.stdout, /owner-page/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
