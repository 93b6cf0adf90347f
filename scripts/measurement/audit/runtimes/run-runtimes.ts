import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { openBrowser } from '../../../../tooling/clients/browser.ts'
import { readOptions } from '../../../../tooling/script-options.ts'
import { compileAgainstPackage, filesForBrowser, installPackage } from './package-under-test.ts'
import { expectedSights } from './smoke.ts'
import { startSmokeServer } from './smoke-server.ts'

const run = promisify(execFile)

/** A runtime and the words that start a program in it. */
export type Runtime = { name: string; command: readonly string[] }

export const thisNode: Runtime = { name: `Node ${process.versions.node}`, command: [process.execPath] }

/** Uses the packed client in these runtimes and in Chromium, and reports each. */
export async function tryRuntimes(runtimesIn: (folder: string) => Promise<Runtime[]>, tell: (line: string) => void) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-runtimes-'))
  await installPackage(folder.path)
  await compileAgainstPackage(folder.path)
  tell('types: ok')
  await using server = await startSmokeServer(await filesForBrowser(folder.path))
  for (const { name, command } of await runtimesIn(folder.path)) {
    const [program = '', ...words] = command
    const { stdout } = await run(program, [...words, 'main.mjs', server.baseUrl], { cwd: folder.path, timeout: 60_000 })
    assert.deepEqual(JSON.parse(stdout), expectedSights, name)
    tell(`${name}: ok`)
  }
  await using browser = await openBrowser()
  const context = await browser.newContext({})
  const page = await context.newPage()
  await page.goto(server.baseUrl)
  const program = `Promise.all([import('/broadside/index.js'), import('/smoke.js')])
    .then(([library, { smoke }]) => smoke(library, location.origin))`
  assert.deepEqual(await page.evaluate(program), expectedSights, 'Chromium')
  tell('Chromium: ok')
}

/** npm run audit -- runtimes: every Node on the PATH, Bun and Deno from npm, and Chromium. */
export async function auditRuntimes(args: string[]): Promise<void> {
  readOptions(args, {})
  await tryRuntimes(async (folder) => [...(await nodesOnPath()), ...(await installOthers(folder))], console.log)
}

async function nodesOnPath(): Promise<Runtime[]> {
  const files = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  const found = new Map<string, Runtime>()
  for (const file of files.filter((path) => existsSync(path))) {
    const version = (await run(file, ['--version'])).stdout.trim()
    found.set(version, { name: `Node ${version.slice(1)}`, command: [file] })
  }
  return [...found.values()]
}

/** Not dependencies of the project: only this audit needs them. Their install scripts do not run. */
async function installOthers(folder: string): Promise<Runtime[]> {
  const cwd = join(folder, 'others')
  await mkdir(cwd)
  await run('npm', ['install', '--prefix', cwd, '--no-audit', '--no-fund', '--ignore-scripts', 'bun', 'deno'], { cwd })
  const start = async (name: string, pattern: string, words: readonly string[]): Promise<Runtime> => {
    const [file = name] = globSync(pattern, { cwd }).map((path) => join(cwd, path))
    const [version = ''] = (await run(file, ['--version'])).stdout.split('\n')
    return { name: `${name} ${version.replace(/^\D*/, '')}`, command: [file, ...words] }
  }
  return [
    await start('Bun', 'node_modules/@oven/*/bin/bun', []),
    await start('Deno', 'node_modules/@deno/*/deno', ['run', '--allow-net', '--allow-env', '--allow-read']),
  ]
}
