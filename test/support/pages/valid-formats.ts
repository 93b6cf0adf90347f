import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { parseFeed } from '@rowanmanning/feed-parser'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parseJsonFeed, parseRssFeed } from 'feedsmith'
import { type ConfigData, HtmlValidate, StaticConfigLoader } from 'html-validate'
import ICAL from 'ical.js'
import { validateXML } from 'xmllint-wasm'
import { calendarEvents, rssItems } from './read-forms.ts'

/** The html-validate rules for all our pages. */
export const htmlRules: ConfigData = {
  root: true,
  extends: ['html-validate:recommended', 'html-validate:document', 'html-validate:a11y'],
  rules: {
    // Every title includes the site name, and search engines truncate titles anyway.
    'long-title': 'off',
    // All resources are our own, from the same host.
    'require-sri': ['error', { target: 'crossorigin' }],
  },
}

const validator = new HtmlValidate(new StaticConfigLoader(htmlRules))

/** The messages of html-validate. */
export const htmlFaults = (page: string): string[] =>
  validator
    .validateStringSync(page)
    .results.flatMap(({ messages }) => messages.map(({ line, ruleId, message }) => `${line} ${ruleId} ${message}`))

/** Two readers parse it and agree; it names itself; no item occurs twice. Returns the addresses of its items. */
export function assertRss(text: string, url: string): string[] {
  const items = rssItems(text)
  const feed = parseRssFeed(text)
  assert.deepEqual(
    feed.atom?.links?.filter(({ rel }) => rel === 'self').map(({ href }) => href),
    [url],
  )
  assert.ok(feed.title && feed.description && feed.link)
  const other = parseFeed(text)
  assert.deepEqual([other.title, other.self], [feed.title, url])
  assertUnique(items.map(({ guid }) => guid?.value))
  return items.map(({ link }) => String(link))
}

/** Valid JSON Feed 1.1. Returns the addresses of its items. */
export function assertJsonFeed(text: string, url: string): string[] {
  const given: object = JSON.parse(text)
  assert.equal('version' in given && given.version, 'https://jsonfeed.org/version/1.1')
  const { title, home_page_url, feed_url, items = [] } = parseJsonFeed(given)
  assert.ok(title && home_page_url)
  assert.equal(feed_url, url)
  for (const item of items) assert.ok(item.url && typeof item.content_text === 'string', String(item.id))
  assertUnique(items.map(({ id }) => id))
  return items.map((item) => String(item.url))
}

const assertUnique = (values: unknown[]) => {
  assert.ok(values.every(Boolean))
  assert.equal(new Set(values).size, values.length)
}

/**
 * One calendar with its version, lines of the format and length that RFC 5545 allows, and events with a time and an id.
 */
export function assertCalendar(text: string): void {
  assert.equal(text.match(/^BEGIN:VCALENDAR\r\n/gm)?.length, 1)
  assert.doesNotMatch(text, /[^\r]\n/)
  const calendar = new ICAL.Component(ICAL.parse(text))
  assert.equal(calendar.getFirstPropertyValue('version'), '2.0')
  assert.ok(calendar.getFirstPropertyValue('prodid'))
  const events = calendarEvents(text)
  assertUnique(events.map((event) => event.getFirstPropertyValue('uid')))
  for (const event of events) for (const name of ['dtstamp', 'dtstart']) assert.ok(event.getFirstProperty(name), name)
}

const shardSchema = readFileSync(new URL('schema/sitemap.xsd', import.meta.resolve('sitemap/package.json')), 'utf8')

// The package has no schema for the index: this is the part that we use.
const indexSchema = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"
  targetNamespace="http://www.sitemaps.org/schemas/sitemap/0.9" elementFormDefault="qualified">
  <xsd:element name="sitemapindex"><xsd:complexType><xsd:sequence>
    <xsd:element name="sitemap" maxOccurs="50000"><xsd:complexType><xsd:sequence>
      <xsd:element name="loc" type="xsd:anyURI"/>
    </xsd:sequence></xsd:complexType></xsd:element>
  </xsd:sequence></xsd:complexType></xsd:element>
</xsd:schema>`

export const sitemapFaults = (text: string) => xmlFaults(text, shardSchema)
export const sitemapIndexFaults = (text: string) => xmlFaults(text, indexSchema)

async function xmlFaults(xml: string, schema: string): Promise<string[]> {
  const { valid, errors } = await validateXML({ xml, schema })
  return valid ? [] : errors.map(({ rawMessage }) => rawMessage)
}

const ajv = new Ajv2020({ allErrors: true, strictTypes: false })
addFormats.default(ajv)
const schemas = new Map<string, ValidateFunction>()

/** The errors of a document according to a schema of test/schemas. */
export function schemaFaults(name: string, document: unknown): string[] {
  const fits =
    schemas.get(name) ??
    ajv.compile(JSON.parse(readFileSync(new URL(`../../sites/schemas/${name}.json`, import.meta.url), 'utf8')))
  schemas.set(name, fits)
  return fits(document) ? [] : [ajv.errorsText(fits.errors)]
}
