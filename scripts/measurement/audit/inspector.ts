import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startService } from '../../../tooling/environment/service.ts'
import { readOptions, texts } from '../../../tooling/script-options.ts'
import { repoDir, stateDir } from '../../../tooling/services/state.ts'

/** Not a dependency of the project: it includes a browser workbench, and npm cannot lock all of its packages. */
const inspectorVersion = '2.12.0'
const run = promisify(execFile)

/** Checks the MCP server of each site with the official MCP inspector, which must report nothing. */
export async function auditWithInspector(args: string[]): Promise<void> {
  const { base } = readOptions(args, { base: texts('URL') })
  const program = await install()
  await using started = base ? undefined : await startService()
  for (const baseUrl of base ?? Object.values(started?.baseUrls ?? {}))
    for (const era of ['modern', 'legacy'])
      for (const question of questionsTo(baseUrl)) {
        const answer = await inspect({ program, baseUrl, era, question })
        console.log(`${baseUrl} ${era} ${question.join(' ')}: ${sizeOf(answer)}`)
      }
}

/** Calls nothing that is metered, because a running site may have used up its daily searches. */
const questionsTo = (baseUrl: string): string[][] => [
  ['tools/list', '--strict'],
  ['tools/call', '--tool-name', 'get_status'],
  ['tools/call', '--tool-name', 'browse_posts', '--tool-arg', 'limit=5'],
  ['resources/list'],
  ['resources/read', '--uri', `${baseUrl}/policy.json`],
  ['prompts/list'],
]

type Asked = { program: string; baseUrl: string; era: string; question: string[] }

/** The inspector prints warnings to stderr. */
async function inspect({ program, baseUrl, era, question }: Asked): Promise<object> {
  await using home = await mkdtempDisposable(join(tmpdir(), 'broadside-inspector-'))
  const words = ['--cli', `${baseUrl}/mcp`, '--transport', 'http', '--protocol-era', era, '--method', ...question]
  const { stdout, stderr } = await run(process.execPath, [program, ...words], {
    env: { ...process.env, HOME: home.path },
    timeout: 60_000,
    maxBuffer: 16 << 20,
  })
  assert.equal(stderr, '', `${era} ${question.join(' ')}`)
  return JSON.parse(stdout)
}

function sizeOf(answer: object): string {
  const list = Object.entries(answer).find(([, value]) => Array.isArray(value))
  return list ? `${(list[1] as unknown[]).length} ${list[0]}` : 'answered'
}

async function install(): Promise<string> {
  const folder = join(stateDir(), `inspector-${inspectorVersion}`)
  const program = join(folder, 'node_modules/.bin/mcp-inspector')
  if (existsSync(program)) return program
  console.log(`Installing the inspector ${inspectorVersion} …`)
  const wanted = `@modelcontextprotocol/inspector@${inspectorVersion}`
  await run('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', wanted], { cwd: repoDir })
  return program
}
