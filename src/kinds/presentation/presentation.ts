import type { Html } from '../../markup/html.ts'

/** A public post. Text by users is only in `content`. */
export type PublicPost<Body = object> = {
  id: string
  kind: string
  url: string
  json_url: string
  published_at: string
  edited_at: string | null
  expires_at?: string
  content_trust: 'untrusted-user-content'
  author_id: string | null
  license: { id: string; url: string }
  content: Body & { author: { name: string }; attribution: string }
}

/** When it takes place: ISO 8601 with the time zone's offset. */
export type Occasion = { starts_at: string; ends_at: string; timezone: string }

/** How posts of a kind look to people, and how other formats name them. */
export type Presentation<Body = object> = {
  /** The name of a post in titles, lists and calendars: its title, or the beginning of its text. One line. */
  headline: (body: Body) => string
  /** Whether the headline is a separate title and not part of the text. */
  hasTitle: boolean
  /** Its text without the title. Blank lines separate paragraphs. */
  text: (body: Body) => string
  /** The facts next to the text, as people read them: price, condition, place, time. */
  facts: (body: Body) => { label: string; value: string }[]
  /** The main part of the post's page. `isOver`: it has expired or ended and left the lists. */
  article: (post: PublicPost<Body>, isOver: boolean) => Html
  /** The post in a list. */
  entry: (post: PublicPost<Body>) => Html
  /** How entries are grouped on a page, if not simply listed. */
  arrange?: (posts: readonly PublicPost<Body>[]) => Html
  /** The post as schema.org. */
  schemaOrg: (post: PublicPost<Body>) => Record<string, unknown>
  /**
   * For kinds whose posts take place at a time: pages show the soonest first, and lists have a calendar. It is also all
   * that we keep, for 30 days, of a post that was taken down, so that calendars can cancel it: no text.
   */
  occasion?: (body: Body) => Occasion
}
