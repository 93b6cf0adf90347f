// Drives the owner page as a browser without JavaScript would: cookies, redirects, forms with their hidden fields. What the page
// looks like is not part of the contract, so forms are found by what they say and the fields that they have.
import { mailsTo, mailText, waitForMail } from './accounts.ts'
import { hasStatus } from './assert.ts'
import { Failure, type Json, show } from './checks.ts'
import { forms, tags, visibleText } from './formats.ts'
import { freshAddress, type Reply, type RequestOptions, request } from './http.ts'
import { accountPage, sites } from './targets.ts'

export class Browser {
  readonly cookies = new Map<string, Map<string, Json>>()
  private from: string | undefined

  cookieHeader(origin) {
    const pairs = [...(this.cookies.get(origin) ?? new Map()).values()].map(({ name, value }) => `${name}=${value}`)
    return pairs.length > 0 ? pairs.join('; ') : undefined
  }

  keep(origin, reply) {
    const jar = this.cookies.get(origin) ?? new Map()
    this.cookies.set(origin, jar)
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [pair, ...attributes] = line.split(/;\s*/)
      const name = pair.slice(0, pair.indexOf('='))
      const value = pair.slice(pair.indexOf('=') + 1)
      const gone = attributes.some((attribute) => /^max-age=(0|-\d+)$/i.test(attribute)) || value === ''
      if (gone) jar.delete(name)
      else jar.set(name, { name, value, attributes, line })
    }
  }

  /** One request with this browser's cookies, redirects not followed. */
  async send(method: string, url: string, { headers = {}, body }: RequestOptions = {}) {
    const { origin } = new URL(url)
    // The owner page limits forms and emails by address: every browser is a visitor of its own.
    this.from ??= await freshAddress()
    const reply = await request(method, url, {
      from: this.from,
      headers: { accept: 'text/html,application/xhtml+xml', cookie: this.cookieHeader(origin), ...headers },
      body,
    })
    this.keep(origin, reply)
    return reply
  }

  /** Follows redirects the way a browser does, and returns the page at the end with the replies on the way. */
  async open(url: string, options?: RequestOptions & { method?: string }): Promise<Page> {
    const replies = [await this.send(options?.method ?? 'GET', url, options)]
    let at = url
    while (replies.at(-1).status >= 300 && replies.at(-1).status < 400 && replies.at(-1).headers.location) {
      if (replies.length > 8) throw new Failure(`${url}: expected a page after a few redirects, came a ninth`)
      at = new URL(replies.at(-1).headers.location, at).href
      replies.push(await this.send('GET', at))
    }
    return pageOf(replies.at(-1), at, replies)
  }

  /** Sends a form: its hidden and default fields, `values` over them, and its button. */
  async submit(
    form: Json,
    values: Record<string, string> = {},
    { without = [], headers = {}, button = form.buttons[0] }: Json = {},
  ) {
    const data = new URLSearchParams()
    for (const field of form.fields) {
      if (without.includes(field.name) || field.name in values) continue
      if ((field.type === 'checkbox' || field.type === 'radio') && !field.checked) continue
      data.append(field.name, field.value)
    }
    if (button?.name && !(button.name in values)) data.append(button.name, button.value)
    for (const [name, value] of Object.entries(values)) data.append(name, value)
    const action = button?.action ? new URL(button.action, form.action).href : form.action
    if (form.method === 'GET') return this.open(`${action.split('?')[0]}?${data}`)
    return this.open(action, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: new URL(action).origin,
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
      body: data.toString(),
    })
  }
}

export type Page = ReturnType<typeof pageOf>
function pageOf(reply: Reply, url: string, replies: Reply[]) {
  return { reply, replies, url, html: reply.text, text: visibleText(reply.text), forms: forms(reply.text, url) }
}

const describe = (form) =>
  `${form.method} ${form.action} ${form.text} ${form.buttons.map(({ text, value, action }) => `${text} ${value} ${action ?? ''}`).join(' ')} ${form.fields.map(({ name }) => name).join(' ')}`
export const formsLike = (page, pattern, test: (form: Json) => boolean = () => true) =>
  page.forms.filter((form) => form.method === 'POST' && pattern.test(describe(form)) && test(form))

const isCodeField = (field) =>
  field.type !== 'hidden' && /code|otp|pin/i.test(`${field.name} ${field.autocomplete ?? ''}`)
export const codeForm = (page) => page.forms.find((form) => form.method === 'POST' && form.fields.some(isCodeField))
export const sendForm = (page) =>
  formsLike(page, /code|send|verif|mail/i, (form) => !form.fields.some(isCodeField)).toSorted(
    (a, b) => Number(/send/i.test(describe(b))) - Number(/send/i.test(describe(a))),
  )[0]

export async function requestCode(browser, page, email) {
  const form = sendForm(page)
  if (!form)
    throw new Failure(
      `owner page ${page.url}: expected a form that sends a code, came ${show(page.forms.map(describe))}`,
    )
  const known = (await mailsTo(email)).map(({ id }) => id)
  const next = await browser.submit(form)
  hasStatus(next.reply, 200, `page after asking for a code (${next.url})`)
  const mail = await waitForMail(email, { known, seconds: 12 })
  const digits = /\b(\d{3})[ -]?(\d{3})\b/.exec(mail.text || mailText(mail).replace(/#[0-9a-f]{6}\b/gi, ''))
  if (!digits) throw new Failure(`mail to the owner: expected a code of six digits, came ${show(mailText(mail), 300)}`)
  return { page: codeForm(next) ? next : page, code: digits[1] + digits[2], mail }
}

export async function enterCode(browser, page, code) {
  const form = codeForm(page)
  if (!form)
    throw new Failure(`owner page ${page.url}: expected a form for the code, came ${show(page.forms.map(describe))}`)
  return browser.submit(form, { [form.fields.find(isCodeField).name]: code })
}

/** The value of the session cookie, found as the one that /v1/manage/keys takes as a bearer token (decisions 3). */
export async function sessionOf(browser) {
  for (const { value } of browser.cookies.get(accountPage)?.values() ?? [])
    for (const candidate of new Set([value, decodeURIComponent(value)])) {
      const reply = await request('GET', `${sites.message}/v1/manage/keys`, { key: candidate })
      if (reply.status === 200) return candidate
    }
  return undefined
}

/** The whole way: open the link, have a code sent, enter it. */
export async function signIn(account) {
  const browser = new Browser()
  const url = (await account.record()).account_url
  const first = await browser.open(url)
  hasStatus(first.reply, 200, 'owner page behind account_url')
  const asked = await requestCode(browser, first, account.email)
  let page = await enterCode(browser, asked.page, asked.code)
  hasStatus(page.reply, 200, 'owner page after the code')
  // The owner confirms the keys of the agent once, before adding money.
  const confirm = page.forms.find((form) => /confirm-keys/.test(form.action))
  if (confirm)
    page = await browser.submit(
      confirm,
      {},
      { button: confirm.buttons.find(({ value, text }) => /keep/i.test(`${value} ${text}`)) ?? confirm.buttons[0] },
    )
  const session = await sessionOf(browser)
  if (!session)
    throw new Failure('owner session: expected a cookie that GET /v1/manage/keys takes as a bearer token, came none')
  return { browser, page, session, account, code: asked.code, mail: asked.mail }
}

/** The owner's pages: the first one and those that it links to on the same origin, a dozen at most. */
export async function ownerPages({ browser, page }: { browser: Browser; page: Page }) {
  const seen = new Map([[page.url.split('#')[0], page]])
  const queue = [page]
  while (queue.length > 0 && seen.size < 14) {
    const here = queue.shift()
    for (const { href } of tags(here.html, 'a')) {
      if (!href) continue
      const url = new URL(href, here.url)
      if (url.origin !== accountPage || /log-?out|sign-?out|\/o\//i.test(url.pathname)) continue
      const plain = url.href.split('#')[0]
      if (seen.has(plain) || seen.size >= 14) continue
      const next = await browser.open(plain)
      seen.set(plain, next)
      if (next.reply.status === 200 && /html/.test(next.reply.type)) queue.push(next)
    }
  }
  return [...seen.values()]
}

/** The first form on any of the owner's pages that reads like `pattern`. */
export async function ownerForm(signedIn: Json, pattern: RegExp, test?: (form: Json) => boolean) {
  const first = await signedIn.browser.open(signedIn.page.url)
  const pages = await ownerPages({ ...signedIn, page: first.reply.status === 200 ? first : signedIn.page })
  for (const page of pages) {
    const [form] = formsLike(page, pattern, test)
    if (form) return { form, page }
  }
  throw new Failure(
    `owner pages: expected a form like ${pattern}, came ${show(
      pages.flatMap((page) => page.forms.map(describe)),
      600,
    )}`,
  )
}
