import { brokenSetups } from '../../tooling/broken-installations/index.ts'
import { openInstallation } from '../../tooling/broken-installations/installation.ts'
import { program, spawnNode } from '../../tooling/environment/processes.ts'
import { readWords } from '../../tooling/script-options.ts'

/** Prints what `broadside doctor` says about each broken set-up. Fails if one is not recognised. */
export async function run(args: readonly string[]): Promise<void> {
  const [wanted = ''] = readWords(args, {}, ['[part of a name]']).words
  await using resources = new AsyncDisposableStack()
  const installation = await openInstallation(resources)
  const chosen = brokenSetups.filter(({ name }) => name.includes(wanted))
  const missed: string[] = []
  for (const [index, { name, only, breaks, cause, fix, timeoutSeconds = 60 }] of chosen.entries()) {
    await using stack = new AsyncDisposableStack()
    const environment = await breaks(installation, stack)
    const args = ['doctor', '--only', only, '--timeout', String(timeoutSeconds)]
    await using doctor = spawnNode({ ...environment, NODE_EXTRA_CA_CERTS: installation.authority }, [program, ...args])
    const code = await doctor.ended
    const { stdout, stderr } = doctor.output
    console.log(
      `=== ${index + 1}. ${name}\n$ broadside ${args.slice(0, 3).join(' ')}\n${stdout}${stderr}exit code ${code}\n`,
    )
    if (!cause.test(stdout) || !fix.test(stdout)) missed.push(name)
  }
  console.log(`${chosen.length} broken set-ups, ${chosen.length - missed.length} recognised with cause and fix.`)
  if (missed.length > 0) throw new Error(`not recognised: ${missed.join('; ')}`)
}
