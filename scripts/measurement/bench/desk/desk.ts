import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { showProgress } from '../../../../src/bin/progress.ts'
import { desk } from '../../../../src/contract/limits.ts'
import { newId } from '../../../../src/platform/identifiers.ts'
import { inviteMember } from '../../../../src/staff/members.ts'
import { openBrowser } from '../../../../tooling/clients/browser.ts'
import { driveByKeyboard, type Step } from '../../../../tooling/clients/desk-keyboard.ts'
import { type Mailbox, openMailbox } from '../../../../tooling/clients/owner.ts'
import { addVirtualAuthenticator } from '../../../../tooling/clients/staff.ts'
import { type Service, startService } from '../../../../tooling/environment/service.ts'
import { seedCases } from '../../../../tooling/fixtures/desk-cases.ts'
import { readOptions, wholeNumber } from '../../../../tooling/script-options.ts'
import { percentile } from '../search/report.ts'
import { takeCaseShots, takeEmptyShots } from './screenshots.ts'

/** Every n-th case is opened in the help, is decided and undone, or is postponed. */
const every = { help: 10, undo: 8, skip: 7 }

/**
 * A reviewer who signed in with a passkey clears a queue of mixed cases in Chromium by keyboard. This measures the
 * machine: the reviewer does not stop to read.
 */
export async function benchDesk(args: string[]): Promise<void> {
  const { cases } = readOptions(args, { cases: wholeNumber(50) })
  const shots = process.env['DESK_SHOTS']
  await using mailbox = await openMailbox()
  await using service = await startService({ judges: true, smtpUrl: mailbox.smtpUrl })
  await using browser = await openBrowser()
  const keys = await seedCases(service, mixOf(cases))
  if (shots) await takeCaseShots(service, browser, { folder: shots, keys })
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await signIn(page, service, mailbox)
  const cleared = await clear(page, service, keys)
  await untilApplied(service)
  const faults = await inspect(service, keys)
  if (shots) await takeEmptyShots(service, browser, shots)
  report(keys.length, cleared, faults)
}

/** Half of the cases are reviews, some of them of edits; the rest are three equal parts. */
export function mixOf(cases: number) {
  const [edits, part] = [Math.floor(cases / 10), Math.floor(cases / 6)]
  return { reports: part, appeals: part, checks: part, edits, reviews: cases - edits - 3 * part }
}

/** Signs in with the emailed link and a new passkey, then again with that passkey, without a mouse. */
async function signIn(page: Page, service: Service, mailbox: Mailbox): Promise<void> {
  const [email, at] = ['ada@desk.example', service.clock.now()]
  const member = { id: newId('staff', at), name: 'Ada Reviewer', role: 'reviewer' as const, email, at }
  assert.ok(await service.asOperator((tx) => inviteMember(tx, member)))
  await service.settle()
  const [mail] = await mailbox.read(email)
  await addVirtualAuthenticator(page)
  const person = driveByKeyboard(page)
  const isFront = ({ pathname }: URL) => pathname === '/'
  await page.goto(String(/http\S+\/join\/\S+/.exec(mail?.text ?? '')?.[0]))
  await person.pressButton('Create a passkey')
  await page.waitForURL(isFront)
  await page.context().clearCookies()
  await page.goto(`${service.deskUrl}/sign-in`)
  await person.pressButton('Sign in with a passkey')
  await page.waitForURL(isFront)
}

type Cleared = { steps: Step[]; seconds: number; undone: number; skipped: number; helped: number }

async function clear(page: Page, { clock }: Service, keys: readonly string[]): Promise<Cleared> {
  const person = driveByKeyboard(page)
  const show = showProgress('cases')
  const steps: Step[] = []
  const [undone, skipped] = [new Set<string>(), new Set<string>()]
  let [looked, helped, rounds] = [0, 0, 0]
  const startedAt = performance.now()
  await person.go('n')
  while (steps.length < keys.length) {
    const seen = await person.see()
    if (seen.key === null) {
      // A skipped case is not shown again for a while.
      assert.ok(++rounds < 3, `after ${steps.length} cases the screen shows “${seen.heading}”`)
      clock.setOffset(rounds * (desk.skipSeconds + 1) * 1_000)
      await person.go('n')
      continue
    }
    const number = ++looked
    if (number % every.skip === 0 && !skipped.has(seen.key)) {
      skipped.add(seen.key)
      await person.go('s')
      continue
    }
    if (number % every.help === 0) {
      await person.press('?', 'Escape')
      helped++
    }
    const step = await person.decide(seen.kind, number)
    if (number % every.undo === 0 && !undone.has(seen.key)) {
      undone.add(seen.key)
      await person.go('u')
      assert.equal((await person.see()).key, seen.key, 'the undone case is not on the screen again')
      continue
    }
    steps.push(step)
    show(steps.length, keys.length)
  }
  const seconds = (performance.now() - startedAt) / 1_000
  return { steps, seconds, undone: undone.size, skipped: skipped.size, helped }
}

async function untilApplied({ clock, settle }: Service): Promise<void> {
  clock.setOffset(3 * desk.skipSeconds * 1_000)
  await settle(60_000)
}

/** Each case was decided once, and the decision was applied. */
async function inspect({ asOwner, logLines }: Service, keys: readonly string[]): Promise<string[]> {
  const rows = await asOwner<{ key: string; effect: string | null; applied: number }>(
    `select case_key as key, effect, (
       select count(*)::int from audit_log where action = 'case.apply' and details->>'case' = case_key
     ) as applied from desk_decisions`,
  )
  const found = new Map(rows.map((row) => [row.key, row]))
  return [
    ...keys.filter((key) => !found.has(key)).map((key) => `${key} was not decided`),
    ...rows.filter(({ applied, effect }) => applied !== 1 || effect !== 'done').map((row) => JSON.stringify(row)),
    ...logLines.filter((line) => /"level":"?(error|50)/.test(line)).slice(0, 3),
  ]
}

function report(cases: number, { steps, ...cleared }: Cleared, faults: readonly string[]): void {
  const all = steps.map(({ milliseconds }) => milliseconds)
  const server = steps.map(({ serverMs }) => serverMs)
  const figures = {
    ...{ cases, ...cleared, seconds: inSeconds(cleared.seconds * 1_000) },
    seconds_per_case: { median: inSeconds(percentile(all, 0.5)), p95: inSeconds(percentile(all, 0.95)) },
    of_which_the_server: { median: inSeconds(percentile(server, 0.5)), p95: inSeconds(percentile(server, 0.95)) },
    decided_and_carried_out: cases - faults.length,
  }
  console.log(JSON.stringify({ bench: 'desk', ...figures, faults }))
  if (faults.length > 0) process.exitCode = 1
}

const inSeconds = (milliseconds: number) => Math.round(milliseconds) / 1_000
