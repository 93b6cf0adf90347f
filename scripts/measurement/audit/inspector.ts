import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startService } from '../../../tooling/environment/service.ts'
import { readOptions } from '../../../tooling/script-options.ts'
import { repoDir, stateDir } from '../../../tooling/services/state.ts'

/** Not a dependency of the project: it includes a browser workbench, and npm cannot lock all of its packages. */
const wanted = '@modelcontextprotocol/inspector@2.12.0'
const run = promisify(execFile)

/** Checks the MCP server of each site with the official MCP inspector, which must report nothing. */
export async function auditWithInspector(args: string[]): Promise<void> {
  readOptions(args, {})
  const folder = join(stateDir(), wanted)
  const program = join(folder, 'node_modules/.bin/mcp-inspector')
  const words = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', wanted]
  if (!existsSync(program)) await run('npm', words, { cwd: repoDir })
  await using service = await startService()
  for (const baseUrl of Object.values(service.baseUrls))
    for (const era of ['modern', 'legacy'])
      for (const question of questionsTo(baseUrl)) {
        const site = ['--cli', `${baseUrl}/mcp`, '--transport', 'http', '--protocol-era', era]
        const env = { ...process.env, HOME: folder }
        const asked = [program, ...site, '--method', ...question]
        const { stdout, stderr } = await run(process.execPath, asked, { env, timeout: 60_000, maxBuffer: 16 << 20 })
        // The inspector prints warnings to stderr.
        assert.equal(stderr, '', `${era} ${question.join(' ')}`)
        JSON.parse(stdout)
        console.log(`${baseUrl} ${era} ${question.join(' ')}: ok`)
      }
}

const questionsTo = (baseUrl: string): string[][] => [
  ['tools/list', '--strict'],
  ['tools/call', '--tool-name', 'get_status'],
  ['tools/call', '--tool-name', 'browse_posts', '--tool-arg', 'limit=5'],
  ['resources/list'],
  ['resources/read', '--uri', `${baseUrl}/policy.json`],
  ['prompts/list'],
]
