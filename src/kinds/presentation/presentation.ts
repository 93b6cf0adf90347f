import type { Html } from '../../markup/html.ts'

/** A public post. Only `content` contains text that users wrote. */
export type PublicPost<Body = object> = {
  id: string
  kind: string
  url: string
  json_url: string
  /** One more with each accepted edit. */
  revision: number
  published_at: string
  edited_at: string | null
  expires_at?: string
  content_trust: 'untrusted-user-content'
  author_id: string | null
  /** A domain that lists the author's account. */
  author_domain: string | null
  license: { id: string; url: string }
  content: Body & { author: { name: string }; attribution: string }
  /** The service's signature; null if it has not signed this version yet. */
  signature: { alg: 'Ed25519'; key_id: string; created_at: string; value: string } | null
}

/** When an event takes place: ISO 8601 with the time zone's offset. */
export type Occasion = { starts_at: string; ends_at: string; timezone: string }

/** A type of the Open Graph protocol, and its own properties in order. */
export type OpenGraph = { type: string; properties: readonly (readonly [name: string, value: string])[] }

/** What the picture of a post for link previews shows beside its text. */
export type CardFacts = {
  /** A word or two, such as a category. */
  label?: string | undefined
  /** Set in large type. */
  price?: string | undefined
  /** A date or time, drawn as a sheet of a calendar. */
  day?: string
  /** In small type: hours, a place. */
  details: readonly string[]
}

/** How posts of a kind are shown to people and described in other formats. */
export type Presentation<Body = object> = {
  /** One line that names a post in titles, listings and calendars: its title, or the beginning of its text. */
  headline: (body: Body) => string
  /** Whether the headline is a separate title and not part of the text. */
  hasTitle: boolean
  /** The post's text without the title. Blank lines separate paragraphs. */
  text: (body: Body) => string
  /** The facts next to the text, as people read them: price, condition, place, time. */
  facts: (body: Body) => { label: string; value: string }[]
  /** The main part of the post's page. `isOver`: the post has expired or the event has ended, so it is not listed. */
  article: (post: PublicPost<Body>, isOver: boolean) => Html
  /** What the page of such a post says above it, with a link to current ones. Without it, posts are never over. */
  over?: (post: PublicPost<Body>) => Html
  /** The post in a listing. */
  entry: (post: PublicPost<Body>) => Html
  /** Groups the entries on a page. Without it, they are a plain list. */
  arrange?: (posts: readonly PublicPost<Body>[]) => Html
  /** What a listing shows above its posts, such as the days of a month. */
  overview?: (path: string, posts: readonly PublicPost<Body>[]) => Html
  /** What the post's card shows beside its text. Default: nothing. */
  card?: (body: Body) => CardFacts
  /** The post as schema.org data. */
  schemaOrg: (post: PublicPost<Body>) => Record<string, unknown>
  /** How other sites show a link to the post, in terms of the Open Graph protocol. Without it, the post is an article. */
  openGraph?: (body: Body) => OpenGraph
  /**
   * For kinds whose posts take place at a time: pages show the soonest first, and listings have a calendar. After a
   * post is taken down, we keep only this, without any text, for 30 days, so that calendars can cancel the event.
   */
  occasion?: (body: Body) => Occasion
}
