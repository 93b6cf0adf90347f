import assert from 'node:assert/strict'
import { parseFeed } from '@rowanmanning/feed-parser'
import { parseRssFeed } from 'feedsmith'
import ICAL from 'ical.js'

/** Text with normalised line breaks and without control characters, which no format shows. */
export const plainLines = (text: string): string[] =>
  text
    .toWellFormed()
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => line.replace(/[\p{Cc}--\t]/gv, ''))

/** The part of a text that XML 1.0 can contain. */
export const inXml = (text: string): string =>
  text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')

/** Text as a page shows it: white space is collapsed. */
export const onPage = (text: string): string => text.toWellFormed().replaceAll(/\s+/g, ' ').trim()

/** The text that a browser shows for a piece of HTML, without its elements. */
export const textOf = (html: string): string => unescaped(html.replaceAll(/<[^>]*>/g, ''))

const unescaped = (html: string) => {
  assert.doesNotMatch(html, /[<>]|&(?!#\d+;|[a-z]+;)/, 'nothing in the text can be taken for markup')
  return html.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

/** Names in SVG have capital letters, and its empty elements a slash. */
const tag =
  /^(?:<!DOCTYPE html>|<\/?[a-z][a-z0-9]*(?: [a-z:-]+(?:="[^"<>]*")?)*>|<(?:svg|circle|path)(?: [A-Za-z-]+="[^"<>]*")*\/?>)$/

/**
 * The elements of a page with their attribute names, in order, except those that come from a user's paragraphs, lines
 * and links. Two pages of the same type have the same, whatever their text.
 */
export function skeletonOf(page: string): string[] {
  textOf(page)
  const tags = page.match(/<[^>]*>/g) ?? []
  for (const one of tags) assert.match(one, tag)
  return page
    .replaceAll(/<a href="https?:[^"]*" rel="ugc nofollow noopener">[^<]*<\/a>|<p dir="auto" lang="">|<\/p>|<br>/gi, '')
    .match(/<[^>]*>/g)!
    .map((one) => one.replaceAll(/="[^"]*"/g, ''))
}

export function structuredDataOf(page: string): Record<string, unknown> {
  const blocks = [...page.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)]
  assert.equal(blocks.length, 1)
  return JSON.parse(blocks[0]![1]!)
}

/** Every string in a value, at any depth. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** The items of a feed according to two independent readers. They must agree; one of them trims. */
export function rssItems(feed: string) {
  const one = parseRssFeed(feed).items ?? []
  const other = parseFeed(feed).toJSON().items
  assert.deepEqual(
    other.map((item) => [item.url, (item.title ?? '').trim(), item.description]),
    one.map((item) => [item.link, item.title ?? '', item.description]),
  )
  return one
}

/** The events of a calendar, after checking each line against RFC 5545. */
export function calendarEvents(file: string) {
  const lines = file.split('\r\n')
  assert.equal(lines.pop(), '', 'the last line ends like the others')
  for (const line of lines) {
    assert.doesNotMatch(line, /[[\p{Cc}\p{Zl}\p{Zp}]--\t]/v)
    assert.ok(Buffer.byteLength(line) <= 75)
    assert.match(line, /^(?: |[A-Z-]+[;:])/)
  }
  assert.ok(file.isWellFormed())
  return new ICAL.Component(ICAL.parse(file)).getAllSubcomponents('vevent')
}
