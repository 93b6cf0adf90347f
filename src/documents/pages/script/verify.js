// Verifies a post in the browser with the library that the command line uses.

import { postAddresses, Refusal, readUrl, verifyPost } from './index.js'

const form = document.querySelector('.verify-form')
const { address, json, file } = form.elements
const button = form.querySelector('button')
const status = document.querySelector('.verify-status')
const list = document.querySelector('.verify-checks')
const origins = form.dataset.origins.split(' ')
const marks = { passed: ['✓', 'Passed'], failed: ['✗', 'Failed'], skipped: ['–', 'Skipped'] }

/** A browser may refuse to store anything. Then every visit is the first. */
const stored = (change) => {
  try {
    return change(localStorage) ?? undefined
  } catch {
    return undefined
  }
}
const keyOf = (origin) => `log-checkpoint:${origin}`
const logsKeyOf = (site) => `site-logs:${site}`

const element = (name, attributes, ...children) => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

function say(kind, text) {
  status.className = `verify-status ${kind}`
  status.textContent = text
}

/** What the form names: an address, or the JSON of a post. Undefined if it is empty. */
async function inputOf() {
  // As bytes: the text of a file lacks a byte order mark, and what was not UTF-8 is replaced.
  if (file.files[0]) return { post: new Uint8Array(await file.files[0].arrayBuffer()) }
  if (json.value.trim()) return { post: json.value }
  if (!address.value.trim()) return undefined
  const url = new URL(address.value.trim(), location.href).href
  return { address: url, post: await readPost(url) }
}

async function readPost(url) {
  if (!origins.includes(new URL(url).origin))
    throw new Refusal('unavailable', 'This page reads only the sites of this service. The command line reads all.')
  const post = await readUrl(postAddresses(url).json, fetch)
  if (!post) throw new Refusal('unavailable', 'There is no post at this address. It may have been deleted.')
  return post
}

function show({ isVerified, checks }) {
  list.replaceChildren(
    ...checks.map(({ title, outcome, detail }) => {
      const [mark, word] = marks[outcome]
      const sign = element('span', { class: 'mark', 'aria-hidden': 'true' }, mark)
      const text = element('div', {}, element('strong', {}, title), element('p', {}, detail))
      text.prepend(element('span', { class: 'unseen' }, `${word}: `))
      return element('li', { class: outcome }, sign, text)
    }),
  )
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  if (isVerified) say('passed', 'Verified. No check failed.')
  else if (failed.every(({ code }) => code === 'unavailable'))
    say('failed', 'Not verified, because a source could not be read. Try again.')
  else
    say(
      'failed',
      `Not verified: ${failed.length === 1 ? 'a check' : `${failed.length} checks`} failed. Do not rely on this post.`,
    )
}

async function verify() {
  const input = await inputOf()
  if (!input) {
    say('failed', 'Enter the address of a post, or paste its JSON.')
    return address.focus()
  }
  const lastVisit = (origin) => stored((storage) => storage.getItem(keyOf(origin)))
  const seenLogs = (site) => stored((storage) => storage.getItem(logsKeyOf(site)))?.split(' ')
  const result = await verifyPost({ ...input, lastVisit, seenLogs })
  const { checkpoint, logs } = result
  if (checkpoint) stored((storage) => storage.setItem(keyOf(checkpoint.origin), checkpoint.note))
  if (logs) stored((storage) => storage.setItem(logsKeyOf(logs.site), logs.origins.join(' ')))
  show(result)
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  if (button.getAttribute('aria-disabled') === 'true') return
  button.setAttribute('aria-disabled', 'true')
  list.replaceChildren()
  say('', 'Verifying …')
  try {
    await verify()
  } catch (error) {
    if (error instanceof Refusal) say('failed', error.message)
    else if (error.name === 'NotSupportedError')
      say('failed', 'This browser cannot check Ed25519 signatures. Update it, or use the command line.')
    else if (error instanceof TypeError) say('failed', 'This is not the address of a post.')
    else throw error
  } finally {
    button.removeAttribute('aria-disabled')
  }
})

// A post's page links here without its address, so that this page has only one.
const from = URL.parse(document.referrer)
const isPost = from?.origin === location.origin && /^\/p\/post_\w+$/.test(from.pathname)
const asked = new URLSearchParams(location.search).get('url') ?? (isPost ? from.href : null)
if (asked) {
  address.value = URL.parse(asked, location.href)?.href ?? asked
  form.requestSubmit()
}
