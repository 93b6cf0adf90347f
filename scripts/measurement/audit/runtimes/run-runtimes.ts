import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { openBrowser } from '../../../../tooling/clients/browser.ts'
import { readOptions } from '../../../../tooling/script-options.ts'
import { repoDir } from '../../../../tooling/services/state.ts'
import { expectedSights } from './smoke.ts'
import { startSmokeServer } from './smoke-server.ts'

const run = promisify(execFile)

/** npm run audit -- runtimes: every Node on the PATH, Bun and Deno from npm, and Chromium. */
export async function auditRuntimes(args: string[]): Promise<void> {
  readOptions(args, {})
  await using others = await mkdtempDisposable(join(tmpdir(), 'broadside-runtimes-'))
  // Not dependencies of the project: only this audit needs them. Their install scripts do not run.
  const install = ['install', '--prefix', others.path, '--no-audit', '--no-fund', '--ignore-scripts', 'bun', 'deno']
  await run('npm', install, { cwd: others.path })
  const [bun = '', deno = ''] = ['@oven/*/bin/bun', '@deno/*/deno'].flatMap((name) =>
    globSync(`${others.path}/node_modules/${name}`).slice(0, 1),
  )
  const nodes = (process.env['PATH'] ?? '').split(delimiter).map((folder) => [join(folder, 'node')])
  const runtimes = [...nodes.filter(([file = '']) => existsSync(file)), [bun], [deno, 'run', '--allow-all']]
  await tryRuntimes(runtimes, console.log)
}

/** Uses the packed client in these runtimes and in Chromium, and reports each. */
export async function tryRuntimes(runtimes: readonly string[][], tell: (line: string) => void): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-client-'))
  const smoke = stripTypeScriptTypes(await readFile(join(import.meta.dirname, 'smoke.ts'), 'utf8'))
  await installPackage(folder.path, smoke)
  tell('types: ok')
  await using server = await startSmokeServer(await filesForBrowser(folder.path, smoke))
  for (const [program = '', ...words] of runtimes) {
    const { stdout } = await run(program, [...words, 'main.mjs', server.baseUrl], { cwd: folder.path, timeout: 60_000 })
    assert.deepEqual(JSON.parse(stdout), expectedSights, program)
    tell(`${program}: ok`)
  }
  await using browser = await openBrowser()
  const page = await (await browser.newContext({})).newPage()
  await page.goto(server.baseUrl)
  const program = `Promise.all([import('/broadside/index.js'), import('/smoke.js')])
    .then(([library, { smoke }]) => smoke(library, location.origin))`
  assert.deepEqual(await page.evaluate(program), expectedSights, 'Chromium')
  tell('Chromium: ok')
}

/** Installs the client as it would be published, and checks a program with its types and no others. */
async function installPackage(folder: string, smoke: string): Promise<void> {
  const client = join(repoDir, 'clients/typescript')
  await run('npm', ['run', 'build'], { cwd: client })
  await run('npm', ['pack', '--pack-destination', folder], { cwd: client })
  const [archive] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  const files = {
    'package.json': '{"private": true, "type": "module"}',
    'smoke.mjs': smoke,
    'main.mjs': `import * as library from 'broadside'
import { smoke } from './smoke.mjs'
console.log(JSON.stringify(await smoke(library, process.argv.at(-1))))`,
    'program.ts': `import { Broadside, type PostStatus, ValidationFailedError } from 'broadside'
export const post: PostStatus = await new Broadside({ baseUrl: 'https://m.example' }).publish('message', { text: 'a' })
export const isInvalid = (error: unknown): boolean => error instanceof ValidationFailedError && error.errors.length > 0
for await (const { content } of new Broadside().posts('story')) content.title satisfies string
`,
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], { cwd: folder })
  const options = '--noEmit --strict --module nodenext --target es2022 --lib es2023,dom --types'.split(' ')
  await run(join(repoDir, 'node_modules/.bin/tsc'), [...options, '', 'program.ts'], { cwd: folder })
}

/** The files of the installed package, by the path where a page finds them. */
async function filesForBrowser(folder: string, smoke: string): Promise<Map<string, string>> {
  const files = new Map([
    ['/', '<!doctype html><title>Smoke</title>'],
    ['/smoke.js', smoke],
  ])
  const dist = join(folder, 'node_modules/broadside/dist')
  for (const name of globSync('**/*.js', { cwd: dist }))
    files.set(`/broadside/${name}`, await readFile(join(dist, name), 'utf8'))
  return files
}
