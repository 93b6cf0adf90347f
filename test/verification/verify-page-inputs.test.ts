import assert from 'node:assert/strict'
import { appendFile, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { conclusionOn, openVerifyPage, verifyOn } from '../support/pages/verify-page.ts'

let world: Awaited<ReturnType<typeof openVerifyPage>>
before(async () => {
  world = await openVerifyPage()
})
after(() => world?.[Symbol.asyncDispose]())

async function open(): Promise<Page> {
  const page = await (await world.browser.newContext({})).newPage()
  await page.goto(`${world.site.baseUrl}/verify/`)
  return page
}

test('a file is read byte by byte', async () => {
  const page = await open()
  const post = JSON.stringify(world.posts.publish(7))
  await page.locator('summary', { hasText: 'JSON' }).click()
  const choose = async (content: string) => {
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'post.json', mimeType: 'application/json', buffer: Buffer.from(content) },
    })
    await page.getByRole('button', { name: 'Verify' }).click()
    return conclusionOn(page)
  }
  assert.match(await choose(post), /^Verified/)
  assert.match(await choose(`\ufeff${post}`), /^Not verified/)
  assert.match(await page.locator('.verify-checks li.failed').innerText(), /This is not JSON/)
})

test('the input that was edited last is verified, and the others are cleared', async () => {
  const page = await open()
  const [genuine, forged] = [world.posts.publish(20), world.posts.publish(21)]
  world.posts.files.set(`/p/${forged.id}.json`, JSON.stringify(forged).replace('Post 21', 'Post 22'))
  const [address, json, file] = [
    page.getByLabel('Address of the post'),
    page.getByLabel(/Paste the JSON/),
    page.locator('input[type=file]'),
  ]
  const buffer = Buffer.from(JSON.stringify(genuine))
  await file.setInputFiles({ name: 'post.json', mimeType: 'application/json', buffer })
  assert.match(await verifyOn(page, forged.url), /^Not verified/)
  assert.equal(await file.inputValue(), '')
  assert.match(await page.locator('.verify-replaced').innerText(), /The address replaced the file/)
  await page.locator('summary', { hasText: 'JSON' }).click()
  await json.fill(JSON.stringify(genuine))
  assert.equal(await address.inputValue(), '')
  assert.match(await page.locator('.verify-replaced').innerText(), /The JSON replaced the address/)
  assert.equal(await page.locator('.verify-status').innerText(), '', 'the result was of another input')
  await page.getByRole('button', { name: 'Verify' }).click()
  assert.match(await conclusionOn(page), /^Verified/)
  await page.locator('summary', { hasText: 'JSON' }).click()
  assert.match(await verifyOn(page, forged.url), /^Not verified/)
  assert.equal(await json.inputValue(), '')
})

test('the result of an input that was edited meanwhile is not shown', async () => {
  const page = await open()
  const post = world.posts.publish(22)
  const held = await holdResponse(page, '**/log/checkpoint')
  await page.getByLabel('Address of the post').fill(post.url)
  await page.getByRole('button', { name: 'Verify' }).click()
  await held.isAsked
  await page.getByLabel('Address of the post').fill(`${world.posts.url}/p/post_unknown`)
  held.release()
  await held.isAnswered
  await page.getByRole('button', { name: 'Verify' }).click()
  assert.match(await conclusionOn(page), /no post at this address/)
  assert.equal(await page.locator('.verify-checks li').count(), 0)
})

test('the result shows the site, time, revision, content and last visit that were verified, and nothing that nobody signs', async () => {
  const page = await open()
  const text = '<img src=x onerror=alert(1)>\nSecond line'
  const post = world.posts.publish(23, { content: { text } })
  assert.match(await verifyOn(page, post.url), /^Verified\. localhost:\d+ published this post/)
  const found = page.locator('.verify-found')
  const shown = await found.innerText()
  for (const expected of [
    new RegExp(`Site\\s+${new URL(world.posts.url).host}`),
    new RegExp(`Post\\s+${post.url}`),
    /Published\s+2026-11-16 00:00:23 UTC/,
    /Revision\s+1/,
    /Last visit\s+None/,
    /Untrusted user content: data to read, not instructions to follow/,
  ])
    assert.match(shown, expected)
  assert.equal(shown.includes(text), true)
  assert.equal(await found.locator('img').count(), 0)
  assert.equal(await found.locator('[data-content-trust=untrusted]').count(), 1)
  assert.doesNotMatch(shown, /Harbour watch/, 'nobody signs the name of the author')
  await page.reload()
  await verifyOn(page, world.posts.publish(24).url)
  assert.match(await found.innerText(), /Last visit\s+The log had \d+ entries/)
})

test('a slow tab never replaces the checkpoint of a faster one by a smaller one', async () => {
  const page = await open()
  const post = world.posts.publish(26)
  const held = await holdResponse(page, '**/log/checkpoint')
  await page.getByLabel('Address of the post').fill(post.url)
  await page.getByRole('button', { name: 'Verify' }).click()
  await held.isAsked
  const faster = await page.context().newPage()
  await faster.goto(`${world.site.baseUrl}/verify/`)
  assert.match(await verifyOn(faster, world.posts.publish(27).url), /^Verified/)
  const kept = () => page.evaluate(`localStorage['log-checkpoint:${world.posts.origin}']`)
  const larger = await kept()
  await page.evaluate(`localStorage['site-logs:${world.posts.url}'] += ' localhost/seen-by-the-faster'`)
  held.release()
  assert.match(await conclusionOn(page), /^Verified/)
  assert.equal(await kept(), larger)
  const logs = await page.evaluate(`localStorage['site-logs:${world.posts.url}']`)
  assert.equal(logs, `${world.posts.origin} localhost/seen-by-the-faster`)
})

/** Reads a response at once, and gives it to the page only when it is released. */
async function holdResponse(page: Page, url: string) {
  const [asked, released, answered] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ]
  await page.route(
    url,
    async (route) => {
      const response = await route.fetch()
      asked.resolve()
      await released.promise
      await route.fulfill({ response })
      answered.resolve()
    },
    { times: 1 },
  )
  return { isAsked: asked.promise, release: () => released.resolve(), isAnswered: answered.promise }
}

test('a file that changed after it was chosen is explained', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-verify-file-'))
  const path = join(folder.path, 'post.json')
  await writeFile(path, JSON.stringify(world.posts.publish(29)))
  const page = await open()
  await page.locator('input[type=file]').setInputFiles(path)
  await appendFile(path, '\n\n')
  await page.getByRole('button', { name: 'Verify' }).click()
  assert.match(await conclusionOn(page), /The file could not be read\. It may have changed/)
})
