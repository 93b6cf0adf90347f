import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import {
  asRoot,
  type CheckFinding,
  type Context,
  codeOf,
  problem,
  type RunCheck,
  unchecked,
  warning,
} from '../check.ts'
import { runProgram } from '../users.ts'

const folder = '/etc/patroni'

export const checkPatroni: RunCheck = async (context) => {
  const files = configurations(context)
  if (files.length === 0) return { summary: 'Patroni is not used on this machine.', findings: [] }
  const version = await readVersion(context)
  const findings = files.flatMap((file) => checkFile(context, file, version))
  return {
    summary: `${files.join(', ')} keeps acknowledged rows (Patroni ${version?.join('.') ?? 'unknown'}).`,
    findings,
  }
}

/** The configured file, config.yml, or every other configuration in its folder. */
function configurations({ read }: Context): string[] {
  const { PATRONI_CONFIG } = read(['PATRONI_CONFIG'])
  if (PATRONI_CONFIG) return [PATRONI_CONFIG]
  const usual = join(folder, 'config.yml')
  if (existsSync(usual)) return [usual]
  // Debian’s template for clusters that do not exist yet.
  const isTemplate = (name: string) => name.endsWith('.in') || name === 'dcs.yml'
  return listFolder()
    .filter((name) => name.endsWith('.yml') && !isTemplate(name))
    .map((name) => join(folder, name))
}

function listFolder(): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function checkFile(context: Context, file: string, version: readonly number[] | undefined): CheckFinding[] {
  const configuration = readConfiguration(file)
  if (configuration === 'EACCES') return [unchecked(`This user cannot read ${file}.`, asRoot(context))]
  if (configuration === 'ENOENT')
    return [problem(`There is no ${file} (PATRONI_CONFIG).`, 'Correct or remove PATRONI_CONFIG.')]
  if (configuration === 'invalid') return [problem(`${file} is not valid YAML.`, `patroni --validate-config ${file}`)]
  if (!('etcd3' in configuration)) return []
  const fix = `In ${file}, rename the section etcd3: to etcd: (etcd needs --enable-v2=true) on every node, then restart Patroni on the standbys first: systemctl restart patroni`
  if (!version)
    return [
      warning(
        `${file} uses etcd3:, and the version of Patroni is unknown. Before 3.1, acknowledged rows are lost.`,
        fix,
      ),
    ]
  const [major = 0, minor = 0] = version
  if (major > 3 || (major === 3 && minor >= 1)) return []
  return [
    problem(
      `${file} uses etcd3: with Patroni ${version.join('.')}. When the primary is paused or cut off, Patroni before 3.1 takes the leader key back without comparing, and acknowledged rows are lost.`,
      fix,
    ),
  ]
}

function readConfiguration(file: string): Record<string, unknown> | 'EACCES' | 'ENOENT' | 'invalid' {
  try {
    const parsed: unknown = parse(readFileSync(file, 'utf8'))
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : 'invalid'
  } catch (error) {
    const code = codeOf(error)
    return code === 'EACCES' || code === 'ENOENT' ? code : 'invalid'
  }
}

async function readVersion(context: Context): Promise<number[] | undefined> {
  for (const command of [
    ['patroni', '--version'],
    ['dpkg-query', '--show', 'patroni'],
  ]) {
    const told = await runProgram(context, command).catch(() => undefined)
    const [, major, minor, patch] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(told?.code === 0 ? told.stdout : '') ?? []
    if (major && minor) return [major, minor, patch ?? '0'].map(Number)
  }
  return undefined
}
