// Every type of page in Chromium, on a desktop and on a phone: no error in the console, no failed request, every picture.
import { existsSync } from 'node:fs'
import { type Browser as Chromium, chromium, type Page } from 'playwright-core'
import { eventually, freshAccount, waitForMail } from '../accounts.ts'
import { equal, hasStatus, holds } from '../assert.ts'
import { fixture, section, skip } from '../checks.ts'
import { published } from '../fixtures.ts'
import { tags } from '../formats.ts'
import { request } from '../http.ts'
import { signIn } from '../owner-page.ts'
import { accountPage, desk, kinds, sites } from '../targets.ts'

const test = section('browser')

const browser = fixture('a browser', async (): Promise<Chromium> => {
  const executablePath = process.env['CHROMIUM'] ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)
  if (!executablePath) skip('Chromium is not installed; CHROMIUM names it')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
})
const looks = {
  desktop: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true, hasTouch: true },
} as const

type Visit = { cookies?: { name: string; value: string; url: string }[]; statuses?: number[] }
/** Everything that is wrong with these pages, as a person with the browser's tools would find it. */
async function faultsOf(look: keyof typeof looks, urls: string[], { cookies = [], statuses = [200] }: Visit = {}) {
  const context = await (await browser()).newContext(looks[look])
  await context.addCookies(cookies)
  const faults: string[] = []
  try {
    for (const url of urls) {
      const page = await context.newPage()
      const fault = (text: string) => faults.push(`${url}: ${text}`)
      page.on('pageerror', ({ message }) => fault(message))
      page.on('requestfailed', (failed) => fault(`${failed.url()} ${failed.failure()?.errorText}`))
      page.on(
        'response',
        (reply) => reply.status() >= 400 && reply.url() !== url && fault(`${reply.url()} ${reply.status()}`),
      )
      page.on(
        'console',
        (entry) => entry.type() === 'error' && !entry.location().url.startsWith(url) && fault(entry.text()),
      )
      const reply = await page.goto(url, { waitUntil: 'networkidle' })
      if (!statuses.includes(reply.status())) fault(`status ${reply.status()}`)
      faults.push(...(await faultsInside(page)).map((text) => `${url}: ${text}`))
      await page.close()
    }
    return faults
  } finally {
    await context.close()
  }
}
const faultsInside = (page: Page) =>
  page.evaluate(() => {
    const pictures = [...document.images].filter(({ complete, naturalWidth }) => !complete || naturalWidth === 0)
    const { scrollWidth, clientWidth } = document.documentElement
    return [
      ...pictures.map(({ src }) => `the picture ${src} does not load`),
      ...(scrollWidth > clientWidth ? [`it scrolls sideways (${scrollWidth} of ${clientWidth} px)`] : []),
      ...(document.title ? [] : ['no title']),
      ...(document.querySelectorAll('h1').length === 1 ? [] : ['not one h1']),
      ...[...document.fonts].filter(({ status }) => status === 'error').map(({ family }) => `the font ${family} fails`),
      ...([...document.styleSheets].some(({ cssRules }) => cssRules.length > 0) ? [] : ['no style sheet']),
    ]
  })
const noFaults = async (look: keyof typeof looks, urls: string[], visit?: Visit) =>
  equal((await faultsOf(look, urls, visit)).join('\n'), '', `faults on a ${look}`)

const documents =
  'about/ archive/ changelog/ docs/ docs/mcp/ docs/quickstart/ docs/reference/ docs/reference/posts/ docs/webhooks/ policy/ problems/ problems/insufficient_balance publish/ search search?q=tea terms/ topics/ transparency/ verify/ versioning/'.split(
    ' ',
  )
for (const look of Object.keys(looks) as (keyof typeof looks)[]) {
  for (const kind of kinds) {
    test(`post-${kind}-${look}: decisions 11: the pages of a ${kind} and its lists are whole on a ${look}`, async () => {
      const post = await published[kind]()
      const { author_id } = await eventually(async () => {
        const reply = await request('GET', `${sites[kind]}/p/${post.id}.json`)
        hasStatus(reply, 200)
        return reply.json
      })
      const topic = post.body.topics[0]
      const paths = ['', `p/${post.id}`, `p/${post.id}/report`, `by/${author_id}/`, `topics/${topic}/`]
      await noFaults(
        look,
        paths.map((path) => `${sites[kind]}/${path}`),
      )
    })
    test(`documents-${kind}-${look}: decisions 11: the documents of the ${kind} site are whole on a ${look}`, () =>
      noFaults(
        look,
        documents.map((path) => `${sites[kind]}/${path}`),
      ))
  }
  test(`not-found-${look}: decisions 11: a page that is not there is a page too on a ${look}`, () =>
    noFaults(look, [`${sites['message']}/nothing-here`], { statuses: [404] }))
  test(`owner-page-${look}: decisions 3: the owner page and the sign-in of the desk are whole on a ${look}`, () =>
    noFaults(look, [`${accountPage}/`, `${desk}/`], { statuses: [200, 401] }))
  test(`owner-${look}: decisions 3: the pages of an owner who is signed in are whole on a ${look}`, async () => {
    const { browser: visitor, page } = await owner()
    const cookies = [...visitor.cookies.get(accountPage).values()].map(({ name, value }) => ({
      name,
      value,
      url: accountPage,
    }))
    const links = tags(page.html, 'a').map(({ href }) => new URL(href, page.url))
    const urls = links.filter(({ origin, pathname }) => origin === accountPage && !/out|\/o\//.test(pathname))
    await noFaults(look, [page.url, ...new Set(urls.map(({ href }) => href.split('#')[0]))], { cookies })
  })
}
const owner = fixture('an owner who is signed in', async () => signIn(await freshAccount()))

for (const kind of kinds)
  test(`card-${kind}: decisions 15: the card of a ${kind} (og:image) is a picture of 1200 × 630`, async () => {
    const post = await published[kind]()
    const [image] = await eventually(async () => {
      const reply = await request('GET', `${sites[kind]}/p/${post.id}`, { headers: { accept: 'text/html' } })
      hasStatus(reply, 200)
      return tags(reply.text, 'meta').filter(({ property }) => property === 'og:image')
    })
    const card = await request('GET', image.content)
    hasStatus(card, 200)
    equal(card.mediaType, 'image/png', 'type of the card')
    equal(`${card.bytes.readUInt32BE(16)} × ${card.bytes.readUInt32BE(20)}`, '1200 × 630', 'size of the card')
    holds(card.bytes.length > 10_000, 'card', 'a picture with text on it', `${card.bytes.length} bytes`)
  })

test('mail: decisions 3: the mail with the code is a whole page that loads nothing from elsewhere', async () => {
  const { account } = await owner()
  const mail = await waitForMail(account.email)
  holds(mail.text?.trim() && mail.html?.trim(), 'mail', 'a text and an HTML part', Object.keys(mail))
  const page = await (await browser()).newPage(looks.phone)
  const requests: string[] = []
  page.on('request', (asked) => requests.push(asked.url()))
  await page.setContent(mail.html, { waitUntil: 'networkidle' })
  equal(requests.filter((url) => !url.startsWith('data:')).join(' '), '', 'requests of the mail')
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  holds(width <= 390, 'width of the mail on a phone', 'at most 390 px', width)
  await page.close()
})
