import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { pythonEnvironment } from '../../../tooling/clients/command-line.ts'
import { repoDir } from '../../../tooling/services/state.ts'

const run = promisify(execFile)

/** The system's Python, which has the packages that the client needs. */
export const systemPython = process.env['PYTHON'] ?? '/usr/bin/python3'
export const typescriptClient = join(repoDir, 'clients/typescript/src/index.ts')
export const typescriptVerifier = join(repoDir, 'clients/typescript/src/verify/index.ts')
export const pythonClient = join(repoDir, 'clients/python/src')

export const snippetLanguages = ['sh', 'ts', 'python'] as const
export type SnippetLanguage = (typeof snippetLanguages)[number]

/** A program from a page, as a reader copies it, and the variables that the reader has set. */
export type Snippet = { program: string; variables: Readonly<Record<string, string>> }

/** How a snippet ended. Empty if it succeeded; for curl, the HTTP status. */
export type SnippetEnd = string

/**
 * Runs the snippets one after another, in one process for each language, because starting a process for each would take
 * most of the time. The folder can contain files that they read.
 */
export const runSnippets = (language: SnippetLanguage, snippets: readonly Snippet[], cwd: string) =>
  runners[language](snippets, cwd)

type Runner = (snippets: readonly Snippet[], cwd: string) => Promise<SnippetEnd[]>

const runners: Record<SnippetLanguage, Runner> = {
  sh: async (snippets, cwd) => {
    // The status goes to a file, and the response where the command sends it.
    const curl = `curl() { command curl -w '%{stderr}%{http_code}' "$@" 2> status; }`
    const one = ({ program, variables }: Snippet) => {
      const given = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`)
      return `(\n${given.join('\n')}\n${program}\n) > answer\ncat status >> ends; echo >> ends`
    }
    await writeFile(join(cwd, 'all.sh'), [curl, ...snippets.map(one)].join('\n'))
    await run('bash', ['-eu', 'all.sh'], { cwd, env: bare() })
    return (await readFile(join(cwd, 'ends'), 'utf8')).trimEnd().split('\n')
  },
  ts: async (snippets, cwd) => {
    for (const [index, { program }] of snippets.entries())
      await writeFile(join(cwd, `${index}.mts`), program.replace("'broadside'", `'${pathToFileURL(typescriptClient)}'`))
    const all = `import { readFileSync, writeFileSync } from 'node:fs'
const ends = []
for (const [index, variables] of JSON.parse(readFileSync('variables.json', 'utf8')).entries()) {
  Object.assign(process.env, variables)
  ends.push(await import('./' + index + '.mts').then(() => '', (error) => String(error?.stack)))
  for (const name of Object.keys(variables)) delete process.env[name]
}
writeFileSync('ends.json', JSON.stringify(ends))`
    await writeFile(join(cwd, 'all.mts'), all)
    return byNames(process.execPath, ['all.mts'], snippets, cwd)
  },
  python: async (snippets, cwd) => {
    await writeFile(join(cwd, 'programs.json'), JSON.stringify(snippets.map(({ program }) => program)))
    const all = `import json, os, traceback
ends = []
for program, variables in zip(json.load(open("programs.json")), json.load(open("variables.json"))):
    os.environ.update(variables)
    try:
        exec(compile(program, "program", "exec"), {})
        ends.append("")
    except Exception:
        ends.append(traceback.format_exc())
    for name in variables:
        del os.environ[name]
json.dump(ends, open("ends.json", "w"))`
    await writeFile(join(cwd, 'all.py'), all)
    return byNames(systemPython, ['all.py'], snippets, cwd)
  },
}

async function byNames(command: string, given: string[], snippets: readonly Snippet[], cwd: string) {
  await writeFile(join(cwd, 'variables.json'), JSON.stringify(snippets.map(({ variables }) => variables)))
  await run(command, given, { cwd, env: { ...bare(), ...pythonEnvironment } })
  return JSON.parse(await readFile(join(cwd, 'ends.json'), 'utf8')) as SnippetEnd[]
}

/** The environment without the variables of the clients. */
function bare(): NodeJS.ProcessEnv {
  const { BROADSIDE_API_KEY: _, BROADSIDE_URL: __, ...others } = process.env
  return others
}

/** A call on a page in three languages. */
export type SnippetSet = Readonly<Record<SnippetLanguage, string>> & { page: string }

const fences = /```sh\n([^`]*?)\n```\n\n```ts\n([^`]*?)\n```\n\n```python\n([^`]*?)\n```/g

/** The calls on pages in Markdown, as a reader copies them. */
export const snippetsOn = (pages: Iterable<readonly [path: string, text: string]>): SnippetSet[] =>
  [...pages].flatMap(([page, text]) =>
    [...text.matchAll(fences)].map(([, sh = '', ts = '', python = '']) => ({ page, sh, ts, python })),
  )
