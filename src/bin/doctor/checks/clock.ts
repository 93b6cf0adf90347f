import { maxClockDifferenceSeconds, readClockDifference } from '../../../jobs/clock-guard.ts'
import { connect } from '../../../platform/database/database.ts'
import { type CheckFinding, type Context, problem, type RunCheck, warning } from '../check.ts'
import { usableUrl } from '../databases.ts'
import { runProgram } from '../users.ts'

/** More than a slow answer explains, and less than anything notices. */
const noticedSeconds = 5

export const checkClock: RunCheck = async (context) => {
  const [difference, sync] = await Promise.all([readDifference(context), checkSync(context)])
  const findings = [...(await checkDifference(difference)), ...sync]
  return {
    summary: `The clocks of this machine and of the database differ by ${difference.toFixed(1)} seconds.`,
    findings,
  }
}

async function readDifference(context: Context): Promise<number> {
  const url = await usableUrl(context)
  await using connection = connect(url, { poolMax: 1, applicationName: 'broadside doctor', acceptsReadOnly: true })
  return await readClockDifference(connection.db, context.clock)
}

const startSync = 'apt-get install systemd-timesyncd && timedatectl set-ntp true'

async function checkDifference(seconds: number): Promise<CheckFinding[]> {
  const size = Math.abs(seconds)
  if (size <= noticedSeconds) return []
  const which = seconds > 0 ? 'ahead of' : 'behind'
  const cause = `The clock of this machine is ${size.toFixed(0)} seconds ${which} the clock of the database`
  const fix = `On both machines: ${startSync}`
  return size > maxClockDifferenceSeconds
    ? [problem(`${cause}: workers skip all scheduled jobs.`, fix)]
    : [warning(`${cause}.`, fix)]
}

/** Without systemd nobody can tell. */
async function checkSync(context: Context): Promise<CheckFinding[]> {
  const told = await runProgram(context, ['timedatectl', 'show', '--property=NTPSynchronized', '--value']).catch(
    () => undefined,
  )
  if (told?.code !== 0 || told.stdout.trim() !== 'no') return []
  return [warning('No time server sets the clock of this machine.', startSync)]
}
