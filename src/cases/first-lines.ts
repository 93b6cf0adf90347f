import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { type Sites, siteOf } from '../posts/sites.ts'
import { isAboutEdit, type QueuedCase } from './queue.ts'

/** How many graphemes of a text are shown: two lines of the widest list. */
const graphemesShown = 200
/** How many characters of each field are read. A grapheme often has several, as in emoji. */
const charactersRead = 400

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The beginning of a text on one line, never cut within a grapheme. */
export function firstLine(text: string, max = graphemesShown): string {
  // The text may end within a grapheme, where reading stopped.
  const isCut = [...text].length >= charactersRead
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const all = Array.from(graphemes.segment(line), ({ segment }) => segment)
  if (all.length <= max && !isCut) return line
  return `${all
    .slice(0, Math.min(max, all.length) - 1)
    .join('')
    .trimEnd()}…`
}

/** The first line of the text of each case, by its key. Untrusted text; null if it is no longer stored. */
export async function readFirstLines(
  db: Database,
  sites: Sites,
  cases: readonly Pick<QueuedCase, 'key' | 'post_id' | 'edit' | 'audited'>[],
): Promise<ReadonlyMap<string, string | null>> {
  const edits = cases.map((found) => (isAboutEdit(found) ? found.edit : 0))
  // A story can be long, and a list shows one line of it.
  const { rows } = await sql<{ key: string; kind: string; content: object | null }>`
    select wanted.key, posts.kind, (
      select jsonb_object_agg(field, case jsonb_typeof(value)
        when 'string' then to_jsonb(left(value #>> '{}', ${charactersRead})) else value end)
      from jsonb_each(case when wanted.edit > 0 then edits.content else posts.content end) as fields (field, value)
    ) as content
    from unnest(${cases.map(({ key }) => key)}::text[], ${cases.map(({ post_id }) => post_id)}::text[], ${edits}::int[])
      wanted (key, post_id, edit)
    join posts on posts.id = wanted.post_id
    left join post_edits edits on edits.post_id = wanted.post_id and edits.number = wanted.edit`.execute(db)
  return new Map(rows.map(({ key, kind, content }) => [key, content && lineOf(sites, kind, content)]))
}

function lineOf(sites: Sites, kind: string, content: object): string {
  const { hasTitle, headline, text } = siteOf(sites, kind).kind.presentation
  return firstLine(hasTitle ? `${headline(content)}: ${text(content)}` : text(content))
}
