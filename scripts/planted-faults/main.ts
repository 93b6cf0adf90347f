import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError, UsageError } from '../../src/bin/command.ts'
import { flag, readWords, runScript } from '../../tooling/script-options.ts'
import { repoDir, stateDir } from '../../tooling/services/state.ts'
import type { Fault } from './fault.ts'
import { faults } from './faults.ts'

const details = `Plants known faults in a copy of the checkout, one at a time. The test that the list names must fail with the fault and
pass without it. The faults, by number:

${faults.map(({ says }, index) => `  ${String(index + 1).padStart(2)}  ${says}`).join('\n')}

  --check   only checks that each fault can still be planted and that its test exists`

await runScript({ command: 'npm run faults', details }, async (args) => {
  const { values, words } = readWords(args, { check: flag }, ['[number]', '…'])
  const chosen = words.length === 0 ? faults : words.map(readNumber)
  const wrong = faults.flatMap(whatIsWrong)
  if (wrong.length > 0)
    throw new CommandError(`Write these faults again, because the code has moved:\n${wrong.join('\n')}`)
  if (values.check) console.log(`${faults.length} faults can be planted.`)
  else await plantAll(chosen)
})

function readNumber(word: string): Fault {
  const fault = faults[Number(word) - 1]
  if (fault) return fault
  throw new UsageError(`There is no fault ${word}: the list has ${faults.length}.`)
}

function whatIsWrong({ says, file, find, replace, test, name = '' }: Fault): string[] {
  const read = (path: string) => (existsSync(join(repoDir, path)) ? readFileSync(join(repoDir, path), 'utf8') : '')
  const times = read(file).split(find).length - 1
  return [
    ...(times === 1 && find !== replace ? [] : [`  ${says}: ${file} has its text ${times} times.`]),
    ...(read(test).includes(name) && existsSync(join(repoDir, test))
      ? []
      : [`  ${says}: ${test} has no test '${name}'.`]),
  ]
}

async function plantAll(chosen: readonly Fault[]): Promise<void> {
  const copy = copyCheckout()
  try {
    const passing = new Set<string>()
    let found = 0
    for (const fault of chosen) {
      const number = faults.indexOf(fault) + 1
      const verdict = await plant(copy, fault, passing)
      console.log(`${verdict.isFound ? '✔' : '✗'} ${number}  ${fault.says}\n     ${fault.test}: ${verdict.says}`)
      if (verdict.isFound) found++
    }
    console.log(`\n${found} of ${chosen.length} faults were found.`)
    if (found < chosen.length) process.exitCode = 1
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Every file that is committed or not ignored, in a folder that the services' users can read. */
function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), 'broadside-faults-'))
  chmodSync(copy, 0o755)
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: repoDir })
  for (const path of list
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(repoDir, path)))) {
    mkdirSync(join(copy, dirname(path)), { recursive: true })
    cpSync(join(repoDir, path), join(copy, path))
  }
  symlinkSync(join(repoDir, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

async function plant(copy: string, fault: Fault, passing: Set<string>) {
  const chosenTest = `${fault.test} ${fault.name}`
  if (!passing.has(chosenTest)) {
    const without = await runTest(copy, fault)
    if (!without.passes) return { isFound: false, says: `fails without the fault\n${without.output}` }
    passing.add(chosenTest)
  }
  const file = join(copy, fault.file)
  const whole = readFileSync(file, 'utf8')
  // A function, because a replacement text could name parts of what it replaces.
  writeFileSync(
    file,
    whole.replace(fault.find, () => fault.replace),
  )
  const { passes, output, seconds } = await runTest(copy, fault)
  writeFileSync(file, whole)
  if (passes) return { isFound: false, says: `NOT FOUND\n${output}` }
  return { isFound: true, says: `found in ${seconds} s. ${/^ *(\w*Error.*(?:\n\s*\S.*)?)/m.exec(output)?.[1] ?? ''}` }
}

async function runTest(copy: string, { test, name }: Fault) {
  const startedAt = performance.now()
  const only = name === undefined ? [] : ['--test-name-pattern', RegExp.escape(name)]
  const child = spawn('npm', ['test', '--silent', '--', test, ...only], {
    cwd: copy,
    detached: true,
    env: { ...process.env, BROADSIDE_STATE_DIR: stateDir() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  // A fault may make its test hang.
  const limit = setTimeout(() => process.kill(-Number(child.pid)), 300_000)
  const [code] = await once(child, 'close')
  clearTimeout(limit)
  return { passes: code === 0, output, seconds: Math.round((performance.now() - startedAt) / 1_000) }
}
