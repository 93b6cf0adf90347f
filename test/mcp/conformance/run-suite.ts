import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { patienceMs } from '../../../tooling/services/state.ts'

const installed = join(import.meta.dirname, '../../../node_modules/@modelcontextprotocol/conformance')

/** The result of one check of the suite; a scenario has several. */
type Check = { scenario: string; id: string; status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO' }

/**
 * Runs the suite of a revision against a site. Failures must match the list exactly: the program itself ignores a
 * listed check that did not run.
 */
export async function runSuite(baseUrl: string, revision: string, list: string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-conformance-'))
  const excuses = join(import.meta.dirname, list)
  const program = join(installed, 'dist/index.js')
  const options = ['--requirements', revision, '--expected-failures', excuses, '--output-dir', folder.path]
  await run(program, ['server', '--url', `${baseUrl}/mcp`, ...options])

  const checks = await readChecks(folder.path)
  const { server: required } = await readYaml(join(installed, 'requirements', `${revision}.yaml`))
  const counted = checks.filter(({ scenario }) => required.includes(scenario))
  const missed = counted.filter(isMissed).map(({ scenario, id }) => `${scenario}:${id}`)
  assert.deepEqual([...new Set(missed)].sort(), (await readYaml(excuses)).server.sort())
  const whole = required.filter((name) => !counted.some((check) => check.scenario === name && isMissed(check)))
  const passed = counted.filter(({ status }) => status === 'SUCCESS')
  return {
    checks,
    figures: `${whole.length} of ${required.length} scenarios without a miss, ${passed.length} checks passed, ${missed.length} excused`,
  }
}

export const isMissed = ({ status }: Check) => status === 'FAILURE' || status === 'WARNING'

async function run(program: string, words: string[]): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [program, ...words], { timeout: patienceMs, maxBuffer: 16 << 20 })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    assert.fail(`${stdout.slice(stdout.indexOf('=== SUMMARY'))}\n${stderr}`)
  }
}

async function readChecks(folder: string): Promise<Check[]> {
  const found = await readdir(folder)
  const read = found.map(async (name) => {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1]
    assert.ok(scenario, `results are named otherwise than expected: ${name}`)
    const checks = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as Omit<Check, 'scenario'>[]
    return checks.map((check) => ({ ...check, scenario }))
  })
  return (await Promise.all(read)).flat()
}

const readYaml = async (file: string): Promise<{ server: string[] }> => parse(await readFile(file, 'utf8'))
