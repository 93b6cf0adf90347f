import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { repoDir } from '../../tooling/services/state.ts'
import { read } from '../support/repository.ts'
import { actionInputs } from './action-inputs.ts'

type Step = {
  uses?: string
  run?: string
  shell?: string
  with?: Record<string, unknown>
  env?: Record<string, unknown>
}
type Permissions = Record<string, string> | string
export type Job = {
  permissions?: Permissions
  'runs-on'?: string
  'timeout-minutes'?: number
  container?: { image: string; options?: string }
  environment?: string
  needs?: string | string[]
  strategy?: { 'fail-fast'?: boolean; matrix: Record<string, string[]> }
  steps: Step[]
}
export type Workflow = { on: unknown; permissions?: Permissions; jobs: Record<string, Job> }
type Action = { runs: { steps: Step[] } }

export const parseWorkflow = (text: string) => parse(text) as Workflow

/**
 * The rules of this repository, which the parser of GitHub does not know: pins, least privilege, bounded time, nothing
 * untrusted in a shell, and no command that the repository lacks.
 */
export function faultsOfWorkflow(path: string, text: string): string[] {
  const { on, permissions, jobs } = parseWorkflow(text)
  const faults = [
    ...(isReadOnly(permissions) ? [] : ['The workflow must have permissions, and may only read; jobs may get more.']),
    ...(/pull_request_target|workflow_run/.test(JSON.stringify(on))
      ? ['This trigger gives code of strangers our rights.']
      : []),
    ...Object.entries(jobs).flatMap(([name, job]) => [
      ...faultsOfJob(job).map((fault) => `${name}: ${fault}`),
      ...job.steps.flatMap((step) => faultsOfStep(step).map((fault) => `${name}: ${fault}`)),
    ]),
    ...faultsOfPins(text),
  ]
  return faults.map((fault) => `${path}: ${fault}`)
}

export function faultsOfAction(path: string, text: string): string[] {
  const { runs } = parse(text) as Action
  const steps = runs.steps.flatMap((step) => [
    ...faultsOfStep(step),
    ...(step.run && !step.shell ? ['A step of an action must name its shell.'] : []),
  ])
  return [...steps, ...faultsOfPins(text)].map((fault) => `${path}: ${fault}`)
}

const isReadOnly = (permissions: Permissions | undefined) =>
  typeof permissions === 'object' && Object.values(permissions).every((right) => right === 'read' || right === 'none')

function faultsOfJob(job: Job): string[] {
  const minutes = job['timeout-minutes'] ?? 0
  const writes = typeof job.permissions === 'object' && Object.values(job.permissions).includes('write')
  const runsOurCode = job.steps.some(({ run = '' }) => /\bnpm (?:ci|run|test)\b|(?:^|\s)(?:\.ci|scripts)\//.test(run))
  return [
    ...(minutes > 0 && minutes <= 360 ? [] : ['timeout-minutes must be from 1 to 360.']),
    ...(/^[a-z]+-\d+\.\d+$/.test(job['runs-on'] ?? '') ? [] : ['runs-on must name a version, not the latest.']),
    ...(typeof job.permissions === 'string' ? ['permissions must be a list, not all or none.'] : []),
    ...(writes && runsOurCode ? ['A job that may write must not run code with dependencies.'] : []),
    ...(job.container && !/:\d+\.\d+\.\d+-[a-z]+$/.test(job.container.image) ? ['The image must have a version.'] : []),
  ]
}

function faultsOfStep({ uses, run, with: inputs }: Step): string[] {
  if (run !== undefined) return [...faultsOfScript(run), ...faultsOfCommands(run)]
  if (uses === undefined) return ['A step must use an action or run a command.']
  if (uses.startsWith('./'))
    return existsSync(join(repoDir, uses, 'action.yml')) ? [] : [`There is no action at ${uses}.`]
  const name = uses.replace(/@.*/, '')
  return [
    ...(name in actionInputs ? [] : [`test/forge/action-inputs.ts does not know the inputs of ${name}.`]),
    ...(name === 'actions/checkout' && inputs?.['persist-credentials'] !== false
      ? ['The checkout must set persist-credentials to false: later steps do not need the token.']
      : []),
  ]
}

/** An expression is pasted into the script before the shell sees it, so its value could be a command. */
const faultsOfScript = (script: string) =>
  script.includes('${{') ? ['A script has an expression; pass its value through env.'] : []

/** Programs of the runner and of Debian; everything else must be in the repository. */
const programs = ['apt-get', 'cp', 'echo', 'else', 'fi', 'gh', 'git', 'if', 'mkdir', 'npm', 'read', 'skopeo', 'test']

function faultsOfCommands(script: string): string[] {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const missing = [...script.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in scripts))
    .map((name) => `There is no script ${name} in package.json.`)
  const unknown = script
    .split('\n')
    .map((line) => line.trim().split(/\s+/)[0] ?? '')
    .filter((word) => word !== '' && !programs.includes(word) && !isProgramOfOurs(word))
    .map((word) => `There is no command ${word}.`)
  return [...missing, ...unknown]
}

const isProgramOfOurs = (path: string) =>
  path.includes('/') && existsSync(join(repoDir, path)) && (statSync(join(repoDir, path)).mode & 0o111) !== 0

/** A tag can be moved to other code, a commit cannot. The comment tells people and Dependabot which release it is. */
function faultsOfPins(text: string): string[] {
  const uses = [...text.matchAll(/\buses:\s*(\S+)(.*)/g)].filter(([, reference = '']) => !reference.startsWith('./'))
  return uses
    .filter(([, reference = '', rest = '']) => !isPinned(reference, rest))
    .map(([, reference]) => `${reference} must be pinned by the whole hash of a commit, with its version as a comment.`)
}

const isPinned = (reference: string, rest: string) =>
  /^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40}$/.test(reference) && /^ # v\d+\.\d+\.\d+$/.test(rest)
