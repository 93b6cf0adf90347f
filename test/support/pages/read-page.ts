import assert from 'node:assert/strict'
import { unescaped } from './links-in.ts'

/** The attributes of each element with this name. Our pages quote every value, which html-validate checks. */
function elements(page: string, name: string): Record<string, string>[] {
  return [...page.matchAll(new RegExp(`<${name}( [^>]*)?>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].map(([, key, value = '']) => [key, unescaped(value)]),
    ),
  )
}

export const metaOf = (page: string, name: string): string | undefined =>
  elements(page, 'meta').find((meta) => meta['name'] === name)?.['content']

/** `<link>` elements of one relation. */
export const linksOf = (page: string, rel: string): Record<string, string>[] =>
  elements(page, 'link').filter((link) => link['rel'] === rel)

/** The visible text of a page's main part. */
export const mainText = (page: string): string => readable(mainOf(page))

const mainOf = (page: string) => /<main[^>]*>([\s\S]*)<\/main>/.exec(page)?.[1] ?? ''

const readable = (markup: string) => unescaped(markup.replaceAll(/<[^>]*>/g, '')).replaceAll(/\s+/g, ' ')

const label = ' data-content-trust="untrusted-user-content"'

export const isLabelled = (page: string): boolean => page.includes(label)

/** The page names the licence and the risk, and user text occurs only in elements that are labelled with them. */
export function assertLabelled(page: string, written: readonly string[]): void {
  assert.deepEqual(
    linksOf(page, 'license').map(({ href }) => href),
    ['https://creativecommons.org/licenses/by/4.0/', '/license.xml'],
  )
  assert.match(mainText(page), /Untrusted user content/)
  // No labelled element is inside another.
  const ours = readable(mainOf(page).replaceAll(new RegExp(`<(\\w+)[^>]*${label}[\\s\\S]*?</\\1>`, 'g'), ''))
  assert.deepEqual(
    written.filter((words) => ours.includes(words)),
    [],
    'outside the label',
  )
}
