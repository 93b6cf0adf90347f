// Verifies a post in the browser with the library that the command line uses.

import { parseStrictJson, postAddresses, Refusal, readUrl, verifyPost } from './index.js'
import { checkItems, verifiedPost } from './page-result.js'
import { readVisits, saveVisit, sizeIn } from './page-visits.js'

const form = document.querySelector('.verify-form')
const { address, json, file } = form.elements
const button = form.querySelector('button')
const status = document.querySelector('.verify-status')
const replaced = document.querySelector('.verify-replaced')
const found = document.querySelector('.verify-found')
const list = document.querySelector('.verify-checks')
const origins = form.dataset.origins.split(' ')

/** A message for the reader, instead of a result. */
class Explanation extends Error {}

/** The inputs that name a post. The one that was edited last counts, and the others are cleared. */
const sources = new Map([
  [address, 'address'],
  [json, 'JSON'],
  [file, 'file'],
])
let lastEdited
let running

const isFilled = (input) => input.value.trim() !== ''

function keepOnly(input) {
  const others = [...sources.keys()].filter((each) => each !== input && isFilled(each))
  for (const other of others) other.value = ''
  const names = others.map((other) => sources.get(other)).join(' and the ')
  if (names) replaced.textContent = `The ${sources.get(input)} replaced the ${names}.`
}

function say(kind, text) {
  status.className = `verify-status ${kind}`
  status.textContent = text
}

function clearResult() {
  running = undefined
  button.removeAttribute('aria-disabled')
  say('', '')
  found.replaceChildren()
  list.replaceChildren()
}

form.addEventListener('input', ({ target }) => {
  clearResult()
  if (!sources.has(target)) return
  // The address of this page would otherwise name another post than the form.
  history.replaceState(null, '', location.pathname)
  if (!isFilled(target)) return
  if (target !== lastEdited) replaced.textContent = ''
  lastEdited = target
  keepOnly(target)
})

/** What the form names: an address, or the JSON of a post. */
async function readInput() {
  // A browser can fill in the form without an event.
  const input = [lastEdited, ...sources.keys()].find((each) => each && isFilled(each))
  if (!input) {
    address.focus()
    throw new Explanation('Enter the address of a post, or paste its JSON.')
  }
  keepOnly(input)
  if (input === address) return readPost(addressOf(address.value.trim()))
  const post = input === file ? await bytesOf(file.files[0]) : json.value
  assertReadable(urlIn(post))
  return { post }
}

/** From an id, a path, or an address with or without its scheme. */
function addressOf(written) {
  const isWhole = /^(https?:\/\/|\/)/i.test(written)
  const path = /^post_\w+$/.test(written) ? `/p/${written}` : isWhole ? written : `${location.protocol}//${written}`
  const url = URL.parse(path, location.href)
  if (!url || /^\/*$/.test(url.pathname)) throw new Explanation('This is not the address of a post.')
  return url.href
}

/** The page may not send requests elsewhere. */
function assertReadable(url) {
  if (url !== undefined && !origins.includes(new URL(url).origin))
    throw new Explanation(
      'This page can only read posts from this service’s sites. For other sites, use the command line.',
    )
}

async function readPost(url) {
  assertReadable(url)
  const post = await readUrl(postAddresses(url).json, fetch)
  if (!post) throw new Explanation('There is no post at this address. It may have been deleted.')
  return { address: url, post }
}

/** As bytes: the text of a file lacks a byte order mark, and what was not UTF-8 is replaced. */
async function bytesOf(chosen) {
  try {
    return new Uint8Array(await chosen.arrayBuffer())
  } catch {
    throw new Explanation('The file could not be read. It may have changed since you chose it. Choose it again.')
  }
}

/** The address that a post says it has; undefined if it says none, which the checks report. */
function urlIn(post) {
  try {
    return URL.parse(parseStrictJson(post).url)?.href
  } catch {
    return undefined
  }
}

async function verify(run) {
  const visits = readVisits()
  const input = await readInput()
  const result = await verifyPost({ ...input, ...visits })
  saveVisit(result)
  if (running !== run) return
  list.replaceChildren(...checkItems(result.checks))
  if (result.isVerified) {
    const seen = visits.lastVisit(result.checkpoint?.origin)
    const lastVisitSize = seen === undefined ? undefined : sizeIn(seen)
    found.replaceChildren(...verifiedPost({ ...result, lastVisitSize }))
  }
  say(result.isVerified ? 'passed' : 'failed', conclusionOf(result))
}

function conclusionOf({ isVerified, checks, facts }) {
  if (isVerified) return `Verified. ${new URL(facts.site).host} published this post. No check failed.`
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  if (failed.every(({ code }) => code === 'unavailable'))
    return 'Not verified, because a source could not be read. Try again.'
  return `Not verified: ${failed.length === 1 ? 'a check' : `${failed.length} checks`} failed. Do not rely on this post.`
}

/** Why there is no result. */
function explain(error) {
  if (error instanceof Explanation || error instanceof Refusal) return error.message
  if (error.name === 'NotSupportedError' || !globalThis.crypto?.subtle)
    return 'This browser cannot check Ed25519 signatures here. Update it, or use the command line.'
  return 'The check stopped because of an error in this page. Use the command line.'
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  if (button.getAttribute('aria-disabled') === 'true') return
  clearResult()
  button.setAttribute('aria-disabled', 'true')
  say('', 'Verifying …')
  const run = {}
  running = run
  try {
    await verify(run)
  } catch (error) {
    if (running === run) say('failed', explain(error))
  } finally {
    if (running === run) button.removeAttribute('aria-disabled')
  }
})

/** The post that the link to this page names: `#post_…`, `?url=…`, or the page of the post that has the link. */
function askedPost() {
  const id = /^#(post_\w+)$/.exec(location.hash)?.[1]
  if (id) return `/p/${id}`
  const from = URL.parse(document.referrer)
  const isPost = from?.origin === location.origin && /^\/p\/post_\w+$/.test(from.pathname)
  return new URLSearchParams(location.search).get('url') ?? (isPost ? from.href : undefined)
}

function verifyAsked() {
  const asked = askedPost()
  if (!asked) return
  clearResult()
  address.value = URL.parse(asked, location.href)?.href ?? asked
  lastEdited = address
  form.requestSubmit()
}

addEventListener('hashchange', verifyAsked)
verifyAsked()
