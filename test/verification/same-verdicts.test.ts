import assert from 'node:assert/strict'
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { runCommandLine } from '../../tooling/clients/command-line.ts'
import { nightly } from '../../tooling/test-length.ts'
import { forgedHistory, forgedNotes, forgedProofs } from '../../tooling/transparency/forged-logs.ts'
import { forgedJson, forgedKeys, forgedSignatures } from '../../tooling/transparency/forged-posts.ts'
import { harmless } from '../../tooling/transparency/forgery.ts'
import { type Genuine, ordinaryPost } from '../../tooling/transparency/genuine-posts.ts'
import { openVerifyPage } from '../support/pages/verify-page.ts'

/** What a verifier says: whether the post is verified, and the outcome of each check. */
type Verdict = { isVerified: boolean; outcomes: string[] }

let world: Awaited<ReturnType<typeof openVerifyPage>>
before(async () => {
  world = await openVerifyPage()
})
after(() => world?.[Symbol.asyncDispose]())

/** Publishes the post at its address, with the keys and the log that belong to it. */
function publish({ source, post, proof, keys, file, log }: Genuine): string {
  const { pathname, href } = new URL(source.url)
  world.posts.files.set(`${pathname}.json`, post)
  world.posts.files.set(`${pathname}.tlog-proof`, proof)
  world.posts.files.set('/.well-known/broadside-keys.json', keys)
  for (const path of log.paths()) world.posts.files.set(`/log/${path}`, file(path) ?? 404)
  return href
}

async function onThePage({ lastVisit }: Genuine, address: string): Promise<Verdict> {
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

async function byCommand({ lastVisit }: Genuine, address: string) {
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

/** One genuine post and a forgery for each check. The tests of the library take all; here is what the others add to it. */
const chosen = [
  'no change',
  ...['the text "NaN"', 'no signature', 'a key of another purpose', 'a changed text'],
  ...['the proof of the entry before', 'a wrong signature of the log', 'a tile that is missing'],
  ...['a log smaller than at the last visit', 'a log whose key was replaced'],
]
/** The others run every night: the page and the command line show what the library finds. */
const always = ['no change', 'a changed text', 'a wrong signature of the log', 'a log smaller than at the last visit']

for (const about of chosen)
  test(`the page and the command line agree about ${about}`, always.includes(about) ? {} : nightly, async () => {
    // The forgeries depend on the address of the site, which is known only when it has started.
    const genuine = ordinaryPost(world.posts.url)
    const makers = [forgedJson, forgedSignatures, forgedKeys, forgedProofs, forgedNotes, forgedHistory]
    const all = [harmless('no change', {}), ...makers.flatMap((make) => make(genuine))]
    const forgery = all.find((each) => each.about === about)
    assert.ok(forgery)
    const served = { ...genuine, ...forgery.changes }
    const address = publish(served)
    const [onPage, onTheCommandLine] = await Promise.all([onThePage(served, address), byCommand(served, address)])
    assert.equal(onPage.isVerified, forgery.check === null, onPage.outcomes.join())
    assert.deepEqual(onTheCommandLine, onPage)
  })
