import type { Facets, Kind } from '../../kinds/index.ts'
import { findCity } from '../../kinds/places/cities.ts'
import { countryName, subdivisionNames } from '../../kinds/places/regions.ts'
import { matchesExactly, searchFiltersOf } from '../../kinds/search-filters.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { withoutTopics } from '../../policy/prefilter/words.ts'
import type { Language } from '../../text-analysis/languages.ts'
import { languageOf, type SearchVector, searchVector, type Weight } from '../../text-analysis/search-vector.ts'

export const facetTerm = (name: string, value: string | number) => `${name}=${value}`

type Entry = SearchVector & { facets: string[]; language: Language | null }

/** The searchable form of a post: its texts, the names of its place, and the common names for its kind. */
export function searchEntryOf(kind: Kind, content: object): Entry {
  const texts = kind.texts(content)
  const facets = kind.facets(content)
  const weighed = [
    ...texts.map(({ field, text }) => ({ text, weight: weights[field] ?? usualWeight })),
    ...placeNames(facets).map((text) => ({ text, weight: placeWeight })),
    { text: [kind.site.noun, facets['category'] ?? ''].join(' '), weight: usualWeight },
  ]
  const language = languageOf(withoutTopics(texts).map(textOf))
  return { facets: termsOf(kind, facets), language, ...searchVector(weighed, language) }
}

const textOf = ({ text }: { text: string }) => text

/**
 * Titles and topics say what a post is about; a message counts half as much as a title; a body can mention anything.
 */
const weights: Readonly<Record<string, Weight>> = { title: 'A', topics: 'B', text: 'C' }
const usualWeight: Weight = 'D'
const placeWeight: Weight = 'C'

function placeNames({ country, state, city }: Facets): string[] {
  const names = [findCity(Number(city))?.name, ...subdivisionNames(String(state)), countryName(String(country))]
  return names.filter((name) => name !== undefined)
}

/** The values that the kind's search filters look for. Search ignores its other facets. */
function termsOf(kind: Kind, facets: Facets): string[] {
  const names = new Set(
    searchFiltersOf([kind])
      .filter(matchesExactly)
      .map(({ facet }) => facet),
  )
  const terms = [...names].flatMap((name) => [facets[name] ?? []].flat().map((value) => facetTerm(name, value)))
  return [facetTerm('kind', kind.name), ...terms]
}

export type SearchablePost = { kind: Kind; id: string; content: object; publishedAt: Date; visibleUntil: Date | null }

/** Adds listed posts to the search index. The database removes them itself when they leave the lists. */
export async function writeSearchEntries(tx: Transaction, posts: readonly SearchablePost[]): Promise<void> {
  const entries = posts.map(({ kind, id, content, publishedAt, visibleUntil }) => ({
    ...{ post_id: id, published_at: publishedAt, visible_until: visibleUntil },
    ...searchEntryOf(kind, content),
  }))
  await tx
    .insertInto('search_entries')
    .values(entries)
    .onConflict((conflict) =>
      // The time of publication never changes, so this is the entry of the post.
      conflict.columns(['post_id', 'published_at']).doUpdateSet((row) => ({
        visible_until: row.ref('excluded.visible_until'),
        facets: row.ref('excluded.facets'),
        language: row.ref('excluded.language'),
        words: row.ref('excluded.words'),
        pairs: row.ref('excluded.pairs'),
      })),
    )
    .execute()
}

export const writeSearchEntry = (tx: Transaction, post: SearchablePost) => writeSearchEntries(tx, [post])
