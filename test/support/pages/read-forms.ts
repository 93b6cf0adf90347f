import assert from 'node:assert/strict'
import { parseFeed } from '@rowanmanning/feed-parser'
import { parseRssFeed } from 'feedsmith'
import ICAL from 'ical.js'

/** Text in which every way to break a line is one, and controls, which no form shows, are gone. */
export const plainLines = (text: string): string[] =>
  text
    .toWellFormed()
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => line.replace(/[\p{Cc}--\t]/gv, ''))

/** What XML 1.0 can carry of a text. */
export const inXml = (text: string): string =>
  text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')

/** Text as a page shows it: white space runs together. */
export const onPage = (text: string): string => text.toWellFormed().replaceAll(/\s+/g, ' ').trim()

/** What a browser makes of a stretch of HTML, without its elements. */
export const textOf = (html: string): string => unescaped(html.replaceAll(/<[^>]*>/g, ''))

const unescaped = (html: string) => {
  assert.doesNotMatch(html, /[<>]|&(?!#\d+;|[a-z]+;)/, 'nothing in the text can be taken for markup')
  return html.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

const tag = /^(?:<!DOCTYPE html>|<\/?[a-z][a-z0-9]*(?: [a-z:-]+(?:="[^"<>]*")?)*>)$/

/**
 * The elements of a page with the names of their attributes, in order, but for those that a user's paragraphs, lines
 * and links make. Two pages of the same make have the same, whatever is written in them.
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

/** Every string in a value, however deep. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** The items of a feed as two independent readers have them. They must agree; one of them trims. */
export function rssItems(feed: string) {
  const one = parseRssFeed(feed).items ?? []
  const other = parseFeed(feed).toJSON().items
  assert.deepEqual(
    other.map((item) => [item.url, (item.title ?? '').trim(), item.description]),
    one.map((item) => [item.link, item.title ?? '', item.description]),
  )
  return one
}

/** The events of a calendar, once each of its lines is found to have the form of RFC 5545. */
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
