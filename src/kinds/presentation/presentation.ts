import type { Html } from '../../markup/html.ts'

/** A post as anyone may read it. What a user wrote stands under `content` and nowhere else. */
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

/** When something happens: ISO 8601 with the offset of the time zone. */
export type Occasion = { starts_at: string; ends_at: string; timezone: string }

/** How posts of a kind look to people, and what they are called in the formats of others. */
export type Presentation<Body = object> = {
  /** What a post is called in titles, lists and calendars: its title, or the beginning of its text. One line. */
  headline: (body: Body) => string
  /** Whether the headline is a title of its own, and not a part of the text. */
  hasTitle: boolean
  /** Its text without the title. Blank lines separate paragraphs. */
  text: (body: Body) => string
  /** What stands beside the text, as people read it: price, condition, place, time. */
  facts: (body: Body) => { label: string; value: string }[]
  /** The main part of the post's own page. `isOver`: it has expired or ended, and left the lists. */
  article: (post: PublicPost<Body>, isOver: boolean) => Html
  /** The post in a list. */
  entry: (post: PublicPost<Body>) => Html
  /** How entries go together on a page, if not simply one after the other. */
  arrange?: (posts: readonly PublicPost<Body>[]) => Html
  /** The post in the words of schema.org. */
  schemaOrg: (post: PublicPost<Body>) => Record<string, unknown>
  /**
   * For a kind whose posts take place at a time: its pages show the soonest first, and its lists have a calendar. It is
   * also all that stays for 30 days of a post that was taken down, so that calendars can cancel it: no text.
   */
  occasion?: (body: Body) => Occasion
}
