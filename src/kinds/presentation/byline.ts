import { type Html, html } from '../../markup/html.ts'
import { utcTime } from './dates.ts'
import type { PublicPost } from './presentation.ts'

/** The title of a post on its page. A long title has a smaller font. */
export const postTitle = (title: string): Html =>
  html`<h1 class="${`title ${lengthClass(title, { brief: 24, long: 60 })}`.trim()}" dir="auto" lang="">${title}</h1>`

/** The class by which the size of a text follows from its length; empty between the two limits. */
export function lengthClass(text: string, { brief, long }: { brief: number; long: number }): 'brief' | 'long' | '' {
  if (text.length > long) return 'long'
  return text.length <= brief ? 'brief' : ''
}

/** The author's name, linked to the author's page. A closed account has no page. */
export const authorName = ({ author_id, content }: PublicPost): Html =>
  author_id === null
    ? html`<span class="author" dir="auto" lang="">${content.author.name}</span>`
    : html`<a class="author" rel="author" href="${authorPath(author_id)}" dir="auto" lang="">${content.author.name}</a>`

/**
 * The verified domain of an author, with a link to what that means. It stands apart from the author's name, which could
 * say the same, and has a frame that no name can have. The domain is in its ASCII form.
 */
export const domainMark = (domain: string): Html =>
  html`<a class="domain" href="/docs/verification/#verified-domain">Verified domain <bdi>${domain}</bdi></a>`

/** The path of an author's page, which every site has. */
export const authorPath = (accountId: string): string => `/by/${accountId}/`

/** Short facts on one line. At a line break, the dot stays with the preceding fact. */
export const dotted = (...parts: (Html | undefined)[]): Html =>
  parts.filter((part) => part !== undefined && part !== '').join('\u00a0· ')

/** One row of the facts next to a post. */
export type Fact = { label: string; value: Html }

/** When a post was published and, if applicable, edited. */
export const postDates = (post: PublicPost): Fact[] => [
  { label: 'Published', value: utcTime(post.published_at) },
  ...(post.edited_at ? [{ label: 'Edited', value: utcTime(post.edited_at) }] : []),
]

export const factList = (facts: readonly Fact[]): Html =>
  facts.length === 0
    ? ''
    : html`<dl class="facts">!${facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>!${value}</dd></div>`)}</dl>`

/** Facts that are plain text. */
export const plainFacts = (facts: readonly { label: string; value: string }[]): Fact[] =>
  facts.map(({ label, value }) => ({ label, value: html`${value}` }))

export const topicList = (topics: readonly string[]): Html =>
  topics.length === 0
    ? ''
    : html`<ul class="topics" aria-label="Topics">!${topics.map(
        (topic) => html`<li><a href="/topics/${topic}/" rel="tag">${topic}</a></li>`,
      )}</ul>`
