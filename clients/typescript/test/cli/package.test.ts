import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { commands } from '../../src/cli/command-table.ts'

const run = promisify(execFile)
const project = join(import.meta.dirname, '../..')
/** Where Linux systems have their own Node, which is often older than the one of this repository. */
const programs = [process.execPath, '/usr/bin/node'].filter((path) => existsSync(path))

test('the built command line needs only Node and the library, and starts in each installed version', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-package-'))
  const tsc = join(project, '../../node_modules/.bin/tsc')
  await run(tsc, ['-p', join(project, 'tsconfig.cli.json'), '--outDir', join(folder.path, 'dist')])
  copyFileSync(join(project, 'package.json'), join(folder.path, 'package.json'))
  for (const file of globSync('dist/**/*.js', { cwd: folder.path })) {
    const text = readFileSync(join(folder.path, file), 'utf8')
    for (const [, to = ''] of text.matchAll(/^(?:import|export)\b[^'"]*from '([^']+)'/gm))
      assert.ok(
        to.startsWith('.') || (to.startsWith('node:') && builtinModules.includes(to.slice(5))),
        `${file}: ${to}`,
      )
    if (!file.startsWith('dist/cli/')) assert.doesNotMatch(text, /from '.*\/cli\//, file)
  }
  const { version, bin } = JSON.parse(readFileSync(join(folder.path, 'package.json'), 'utf8'))
  const env = { XDG_CONFIG_HOME: folder.path }
  for (const program of programs) {
    const start = async (...args: string[]) =>
      (await run(program, [join(folder.path, bin.broadside), ...args], { env })).stdout
    assert.equal(await start('--version'), `broadside ${version}\n`)
    const help = await start()
    for (const { name } of commands) assert.match(help, new RegExp(`^  ${name} `, 'm'))
    assert.equal(await start('--help'), help)
    assert.equal(await start('help', 'post'), await start('post', '--help'))
  }
})

test('no line of the help is longer than 80 columns, except examples', async () => {
  const { helpText } = await import('../../src/cli/help.ts')
  const look = { width: 80, style: (_: unknown, text: string) => text }
  for (const command of [undefined, ...commands]) {
    const [text = ''] = helpText(command, look).split('\nExamples\n')
    assert.deepEqual(
      text.split('\n').filter((line) => line.length > 80),
      [],
    )
  }
})
