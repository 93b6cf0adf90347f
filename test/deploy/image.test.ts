import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { parseEnv, promisify } from 'node:util'
import { fontPackages } from '../../src/publishing/cards/fonts.ts'
import { repoDir } from '../../tooling/services/state.ts'

const rules = readFileSync(join(repoDir, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** As Docker reads the file: the last rule that matches the path or a folder above it decides. */
function isInImage(path: string): boolean {
  const parts = path.split('/')
  const ancestors = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  const decisive = rules.findLast((rule) => {
    const pattern = rule.replace(/^!/, '')
    // Node’s * does not match names that begin with a dot; Docker’s does.
    return pattern === '*' || ancestors.some((ancestor) => matchesGlob(ancestor, pattern))
  })
  return decisive?.startsWith('!') ?? true
}

const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: repoDir,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(repoDir, path)))

test('the image has no tests, no training data and no secrets', () => {
  const inside = tracked.filter(isInImage)
  assert(inside.includes('src/bin/broadside.ts') && inside.includes('deploy/nginx/nginx.conf.template'))
  assert(inside.some((path) => path.startsWith('model/weights/')))
  for (const folder of ['model/data', 'model/train', 'model/eval', 'clients/typescript/src/cli', 'deploy/kubernetes'])
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

test('the files of the image are all that the program needs to write its documents', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-image-files-'))
  try {
    for (const path of tracked.filter((file) => isInImage(file) && !file.startsWith('model/weights/'))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      cpSync(join(repoDir, path), join(folder, path))
    }
    symlinkSync(join(repoDir, 'node_modules'), join(folder, 'node_modules'))
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
