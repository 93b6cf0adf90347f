import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { repoDir } from '../../../../tooling/services/state.ts'

const run = promisify(execFile)
const client = join(repoDir, 'clients/typescript')

/** Builds and packs the client as it would be published, and installs it with the smoke program in an empty folder. */
export async function installPackage(folder: string): Promise<void> {
  await run('npm', ['run', 'build'], { cwd: client })
  await run('npm', ['pack', '--pack-destination', folder], { cwd: client })
  const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], { cwd: folder })
  await writeFile(join(folder, 'smoke.mjs'), await smokeProgram())
  const main = `import * as library from 'broadside'
import { smoke } from './smoke.mjs'
console.log(JSON.stringify(await smoke(library, process.argv.at(-1))))`
  await writeFile(join(folder, 'main.mjs'), main)
}

export const smokeProgram = async (): Promise<string> =>
  stripTypeScriptTypes(await readFile(join(import.meta.dirname, 'smoke.ts'), 'utf8'))

/** The files of the installed package for a browser, by the path where a page finds them. */
export async function filesForBrowser(folder: string): Promise<Map<string, string>> {
  const dist = join(folder, 'node_modules/broadside/dist')
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'))
  const files = new Map([
    ['/', '<!doctype html><title>Smoke</title>'],
    ['/smoke.js', await smokeProgram()],
  ])
  for (const name of names) files.set(`/broadside/${name}`, await readFile(join(dist, name), 'utf8'))
  return files
}

/** Compiles a program that uses the package, with the types that the package has and no others. */
export async function compileAgainstPackage(folder: string): Promise<void> {
  const path = join(folder, 'types/program.ts')
  await mkdir(dirname(path), { recursive: true })
  const program = `import { Broadside, type PostStatus, ValidationFailedError } from 'broadside'
export const post: PostStatus = await new Broadside({ baseUrl: 'https://m.example' }).publish('message', { text: 'a' })
export const isInvalid = (error: unknown): boolean => error instanceof ValidationFailedError && error.errors.length > 0
for await (const { content } of new Broadside().posts('story')) content.title satisfies string
`
  await writeFile(path, program)
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom',
    '--types',
    '',
  ]
  await run(join(repoDir, 'node_modules/.bin/tsc'), [...options, path], { cwd: folder })
}
