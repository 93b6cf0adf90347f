import assert from 'node:assert/strict'
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { runCommandLine } from '../../tooling/clients/command-line.ts'
import { times } from '../../tooling/test-length.ts'
import {
  type FixtureCase,
  fixtureLog,
  forgedCases,
  genuineCases,
  logOf,
} from '../../tooling/transparency/fixture-cases.ts'
import { openVerifyPage } from '../support/pages/verify-page.ts'

/** What a verifier says: whether the post is verified, and the outcome of each check. */
type Verdict = { isVerified: boolean; outcomes: string[] }

let world: Awaited<ReturnType<typeof openVerifyPage>>
before(async () => {
  world = await openVerifyPage()
})
after(() => world?.[Symbol.asyncDispose]())

/** Publishes the case at its address, with the log that belongs to it. */
function publish(one: FixtureCase): string {
  for (const path of world.posts.files.keys()) if (/^\/(p|log)\//.test(path)) world.posts.files.delete(path)
  const { pathname, href } = new URL(JSON.parse(one.post).url)
  world.posts.files.set(`${pathname}.json`, one.post)
  world.posts.files.set(`${pathname}.tlog-proof`, one.proof)
  const log = logOf(one, world.posts.url)
  for (const path of log.paths()) world.posts.files.set(`/log/${path}`, log.file(path) ?? '')
  return href
}

async function onThePage({ lastVisit }: FixtureCase, address: string): Promise<Verdict> {
  await using context = await world.browser.newContext({})
  const page = await context.newPage()
  if (lastVisit) await page.addInitScript(remember, { key: `log-checkpoint:${world.posts.origin}`, lastVisit })
  await page.goto(`${world.site.baseUrl}/verify/`)
  await page.getByLabel('Address of the post').fill(address)
  await page.getByRole('button', { name: 'Verify' }).click()
  return await verdictOf(page)
}

type Remembered = { key: string; lastVisit: string }
const remember = ({ key, lastVisit }: Remembered) =>
  Object.assign(Reflect.get(globalThis, 'localStorage'), { [key]: lastVisit })

async function verdictOf(page: Page): Promise<Verdict> {
  const conclusion = page.locator('.verify-status.passed, .verify-status.failed')
  await conclusion.waitFor()
  const outcomes = await page
    .locator('.verify-checks li')
    .evaluateAll((items: { className: string }[]) => items.map(({ className }) => className))
  return { isVerified: /^Verified/.test(await conclusion.innerText()), outcomes }
}

async function byCommand({ lastVisit }: FixtureCase, address: string) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-verify-'))
  if (lastVisit) {
    mkdirSync(join(folder.path, 'broadside'))
    const visits = JSON.stringify({ [world.posts.origin]: lastVisit })
    writeFileSync(join(folder.path, 'broadside/checkpoints.json'), visits)
  }
  const env = { XDG_CONFIG_HOME: folder.path }
  const { code, stdout, stderr } = await runCommandLine(['verify', address, '--json'], { env, cwd: folder.path })
  const { verified, checks } = JSON.parse(stdout || stderr) as { verified: boolean; checks: { outcome: string }[] }
  assert.equal(code, verified ? 0 : 11, stderr)
  return { isVerified: verified, outcomes: checks.map(({ outcome }) => outcome) }
}

/**
 * The cases depend on the address of the site, which is known only when it has started. Usually every third: the tests
 * of the library take all of them.
 */
const named = { genuine: genuineCases(fixtureLog()), forged: forgedCases(fixtureLog()) }
const isTested = (at: number) => at % times({ whole: 1, short: 3 }) === 0
for (const { name } of [...named.genuine, ...named.forged].filter((_, at) => isTested(at)))
  test(`the page and the command line agree about ${name}`, async () => {
    const log = fixtureLog({ siteUrl: world.posts.url })
    const all = [...genuineCases(log, world.posts.url), ...forgedCases(log, world.posts.url)]
    const one = all.find((each) => each.name === name) as FixtureCase
    const address = publish(one)
    const [onPage, onTheCommandLine] = await Promise.all([onThePage(one, address), byCommand(one, address)])
    assert.equal(onPage.isVerified, one.fails === undefined, onPage.outcomes.join())
    assert.deepEqual(onTheCommandLine, onPage)
  })

test('there are at least ten genuine posts and ten forgeries', () =>
  assert.ok(named.genuine.length >= 10 && named.forged.length >= 10))
