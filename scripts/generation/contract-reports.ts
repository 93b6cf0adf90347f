import { execFile } from 'node:child_process'
import { mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { kinds } from '../../src/kinds/index.ts'
import { commonTools, toolsOf } from '../../src/mcp/tools/describe-tool.ts'
import { operationsOf } from '../../src/operations.ts'
import { repoDir } from '../../tooling/services/state.ts'

const run = promisify(execFile)

/** What `npm run contract` compares and no site serves: the tools of each server, and the declarations of both clients. */
export async function contractReports(): Promise<[path: string, content: string][]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-declarations-'))
  const [typescript, python] = ['typescript', 'python'].map((name) => join(folder.path, name)) as [string, string]
  const cwd = join(repoDir, 'clients/python/src')
  await Promise.all([
    run('tsc', ['-p', join(repoDir, 'clients/typescript'), '--emitDeclarationOnly', '--outDir', typescript]),
    run('/usr/bin/stubgen', ['--quiet', '--package', 'broadside', '--output', python], { cwd }),
  ])
  return [
    ['generated/mcp-tools.json', `${JSON.stringify(toolLists(), null, 1)}\n`],
    ['generated/clients/typescript.txt', joined(typescript)],
    ['generated/clients/python.txt', joined(python)],
  ]
}

function toolLists() {
  const sites = kinds.map((kind) => ({ kind, operations: operationsOf(kind) }))
  const listed = (tools: ReturnType<typeof toolsOf>) =>
    tools.map(({ tool: { name, inputSchema } }) => ({ name, inputSchema }))
  const servers = sites.map(({ kind, operations }) => [kind.site.slug, listed(toolsOf(kind, operations))])
  return { ...Object.fromEntries(servers), 'all-sites': listed(commonTools(sites)) }
}

/** All files of a folder, each below its name. */
const joined = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:d\.ts|pyi)$/.test(path))
    .sort()
    .map((path) => `=== ${path}\n\n${readFileSync(join(folder, path), 'utf8')}`)
    .join('\n')
