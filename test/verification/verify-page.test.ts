import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { ordinaryPost } from '../../tooling/transparency/genuine-posts.ts'
import { conclusionOn, openVerifyPage, verifyOn } from '../support/pages/verify-page.ts'

let world: Awaited<ReturnType<typeof openVerifyPage>>
before(async () => {
  world = await openVerifyPage()
})
after(() => world?.[Symbol.asyncDispose]())

type Look = { javaScriptEnabled?: boolean; width?: number; colorScheme?: 'light' | 'dark' }

async function open(path: string, { javaScriptEnabled = true, width = 1280, colorScheme = 'light' }: Look = {}) {
  const context = await world.browser.newContext({ javaScriptEnabled, viewport: { width, height: 900 }, colorScheme })
  const page = await context.newPage()
  await page.goto(world.site.baseUrl + path)
  return page
}

const outcomesOf = (page: Page) =>
  page.locator('.verify-checks li').evaluateAll((items: { className: string }[]) => items.map((item) => item.className))

test('a genuine post is verified, from another site of the service', async () => {
  const page = await open('/verify/')
  const post = world.posts.publish(1)
  assert.match(await verifyOn(page, post.url), /^Verified/)
  assert.deepEqual(new Set(await outcomesOf(page)), new Set(['passed']))
})

test('a forged post is not verified, and the page says which check failed', async () => {
  const page = await open('/verify/')
  const post = world.posts.publish(2)
  world.posts.files.set(`/p/${post.id}.json`, JSON.stringify(post).replace('Post 2', 'Post 3'))
  assert.match(await verifyOn(page, post.url), /^Not verified: 2 checks failed/)
  const failed = page.locator('.verify-checks li.failed').first()
  assert.match(await failed.innerText(), /The service signed this post[\s\S]*does not match/)
})

test('the address comes from the link, and everything works by keyboard', async () => {
  const post = world.posts.publish(3)
  const page = await open(`/verify/?url=${encodeURIComponent(post.url)}`)
  await page.getByLabel('Address of the post').press('Enter')
  assert.match(await conclusionOn(page), /^Verified/)
  await page.locator('summary', { hasText: 'JSON' }).press('Enter')
  await page.getByLabel(/Paste the JSON/).fill(`${JSON.stringify(post)} x`)
  await page.getByRole('button', { name: 'Verify' }).press('Enter')
  await page.locator('.verify-status.failed').waitFor()
  await page.getByLabel(/Paste the JSON/).fill(JSON.stringify(post))
  await page.getByRole('button', { name: 'Verify' }).press('Enter')
  await page.locator('.verify-status.passed').waitFor()
})

test('a reader who comes from the page of a post does not have to enter its address', async () => {
  await using context = await world.browser.newContext({})
  const page = await context.newPage()
  const post = `${world.site.baseUrl}/p/post_01jcmzq8e5f7r9t2v4x6y8z003`
  await page.goto(`${world.site.baseUrl}/verify/`, { referer: post })
  await conclusionOn(page)
  assert.equal(await page.getByLabel('Address of the post').inputValue(), post)
  await page.goto(`${world.site.baseUrl}/verify/`, { referer: `${world.site.baseUrl}/docs/verification/` })
  assert.equal(await page.getByLabel('Address of the post').inputValue(), '')
})

test('the log is compared with the last visit', async () => {
  const page = await open('/verify/')
  const post = world.posts.publish(4)
  assert.match(await verifyOn(page, post.url), /^Verified/)
  world.posts.publish(5)
  await page.reload()
  assert.match(await verifyOn(page, post.url), /^Verified/)
  assert.match(await page.locator('.verify-checks').innerText(), /your last visit/)
  // The log forgets all that it had, and shows another of the same origin.
  const other = ordinaryPost(world.posts.url).log
  for (const path of other.paths()) world.posts.files.set(`/log/${path}`, other.file(path) ?? '')
  await page.reload()
  const conclusion = await verifyOn(page, post.url)
  for (const path of other.paths()) world.posts.files.delete(`/log/${path}`)
  assert.match(conclusion, /^Not verified/)
  assert.equal((await outcomesOf(page)).at(-1), 'failed')
})

test('a log that the site replaced under another name is noticed', async () => {
  const page = await open('/verify/')
  const post = world.posts.publish(6)
  assert.match(await verifyOn(page, post.url), /^Verified/)
  await page.evaluate(`localStorage['site-logs:${world.posts.url}'] += ' localhost/older'`)
  assert.match(await verifyOn(page, post.url), /^Not verified/)
  assert.match(await page.locator('.verify-checks li.failed').innerText(), /The log: localhost\/older\./)
})

test('the JSON of another site is refused with the reason, not as a source that may come back', async () => {
  const page = await open('/verify/')
  await page.locator('summary', { hasText: 'JSON' }).click()
  const post = JSON.stringify(world.posts.publish(28)).replaceAll(world.posts.url, 'https://elsewhere.example')
  await page.getByLabel(/Paste the JSON/).fill(post)
  await page.getByRole('button', { name: 'Verify' }).click()
  assert.equal(
    await conclusionOn(page),
    'This page can only read posts from this service’s sites. For other sites, use the command line.',
  )
})

test('the link on the page of a post names the post, and a second link replaces it', async () => {
  const page = await open('/verify/#post_01jcmzq8e5f7r9t2v4x6y8z030')
  await conclusionOn(page)
  const address = page.getByLabel('Address of the post')
  assert.equal(await address.inputValue(), `${world.site.baseUrl}/p/post_01jcmzq8e5f7r9t2v4x6y8z030`)
  await page.evaluate(`location.hash = 'post_01jcmzq8e5f7r9t2v4x6y8z031'`)
  await page.waitForFunction(`document.querySelector('#verify-address').value.endsWith('031')`)
  await conclusionOn(page)
  await address.fill(world.posts.publish(32).url)
  assert.equal(await page.evaluate('location.hash'), '', 'a reload would verify another post')
})

test('addresses that cannot be read are explained', async () => {
  const page = await open('/verify/')
  assert.match(
    await verifyOn(page, 'https://elsewhere.example/p/post_1'),
    /only read posts from this service’s sites\. For other sites, use the command line/,
  )
  assert.match(await verifyOn(page, `${world.posts.url}/p/post_unknown`), /no post at this address/)
  assert.match(await verifyOn(page, 'https://['), /not the address of a post/)
  assert.match(await verifyOn(page, world.posts.url), /not the address of a post/)
  assert.match(await verifyOn(page, ''), /Enter the address/)
  const post = world.posts.publish(33)
  assert.match(await verifyOn(page, post.url.replace('http://', '')), /^Verified/)
})

test('without JavaScript the page shows the command', async () => {
  const page = await open('/verify/', { javaScriptEnabled: false })
  assert.equal(await page.locator('.verify-form').isVisible(), false)
  assert.match(await page.locator('main').innerText(), /needs JavaScript[\s\S]*broadside verify/)
})

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [390, 1280])
    test(`the page is accessible and fits the screen, ${colorScheme}, ${width} pixels wide`, async () => {
      const post = world.posts.publish(width + (colorScheme === 'dark' ? 1 : 0))
      world.posts.files.set(`/p/${post.id}.json`, JSON.stringify(post).replace('"Post ', '"Other '))
      const page = await open('/verify/', { width, colorScheme })
      await verifyOn(page, post.url)
      await page.locator('summary', { hasText: 'JSON' }).click()
      await assertAccessible(page)
      assert.match(await verifyOn(page, world.posts.publish(width + 2).url), /^Verified/)
      await assertAccessible(page)
    })

async function assertAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string; help: string }[] }
  assert.deepEqual(
    violations.map(({ id, help }) => `${id}: ${help}`),
    [],
  )
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
}
