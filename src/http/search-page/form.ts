import type { Kind, SearchOption } from '../../kinds/index.ts'
import { type Html, html } from '../../markup/html.ts'
import {
  allSites,
  type FormFilter,
  type SearchFieldErrors,
  type SearchPageQuery,
  searchPath,
  shownFilters,
} from './query.ts'

export type FilledForm = {
  filters: readonly FormFilter[]
  asked: SearchPageQuery
  faults: SearchFieldErrors
  /** The cost of a search, shown next to the button. */
  cost: Html
  /** True if the person has not searched yet, so the input gets the focus. */
  isFresh: boolean
}

/** The form with the submitted values, and each error next to its field. Works without JavaScript. */
export function searchForm(kinds: readonly Kind[], form: FilledForm): Html {
  const { asked, faults, cost, isFresh } = form
  return html`<form class="form search-form" action="${searchPath}" method="get" role="search">
<div class="field words">
<label for="q">Search for</label>
<div class="search-line"><input type="search" id="q" name="q" value="${shown(asked.q)}" required maxlength="200" autocomplete="off" autocapitalize="none" dir="auto"!${described('q', faults, 'cost')}!${isFresh ? ' autofocus' : ''}> <button type="submit">Search</button></div>
!${faultOf('q', faults)}
<p class="cost" id="cost">!${cost}</p>
</div>
<div class="options">
!${choice('kind', 'Site', siteOptions(kinds), form)}
!${choice('sort', 'Order', sortOptions, form)}
</div>
!${narrowing(form)}
</form>`
}

/** Whether the search has any filter. */
export const isNarrowed = (asked: SearchPageQuery, filters: readonly FormFilter[]): boolean =>
  asked.kind !== allSites || isFiltered(asked, filters)

/** Open as long as nothing was searched for, and whenever a filter is set: then its results are not surprising. */
function narrowing(form: FilledForm): Html {
  const { asked, filters, isFresh } = form
  return html`<details!${isFresh || isFiltered(asked, filters) ? ' open' : ''}>
<summary>Filters</summary>
<div class="options">
!${shownFilters(asked, filters)
    .map((filter) => filterField(filter, form))
    .join('\n')}
!${entry('since', 'Published from', '', form, 'date')}
!${entry('until', 'Published until', '', form, 'date')}
</div>
<p class="hint">Days start and end at 00:00 UTC.</p>
</details>`
}

const isFiltered = ({ since, until, ...asked }: SearchPageQuery, filters: readonly FormFilter[]) =>
  since !== undefined || until !== undefined || filters.some(({ name }) => asked[name] !== undefined)

function filterField(filter: FormFilter, form: FilledForm): Html {
  const { name, label } = filter
  if ('options' in filter) return choice(name, label, filter.options, form)
  if ('day' in filter) return entry(name, label, '', form, 'date')
  if ('amount' in filter) return entry(name, label, html`min="0" step="any" inputmode="decimal"`, form, 'number')
  const rules = html`maxlength="${filter.maxLength}" autocomplete="off" autocapitalize="none" spellcheck="false"`
  return entry(name, label, rules, form)
}

/** The first word of a title is the brand. */
export const siteName = ({ site }: Kind): string => site.title.split(' ').slice(1).join(' ')

const siteOptions = (kinds: readonly Kind[]): SearchOption[] => [
  { value: allSites, label: 'All sites' },
  ...kinds.map((kind) => ({ value: kind.name, label: siteName(kind) })),
]

const sortOptions: readonly SearchOption[] = [
  { value: 'relevance', label: 'Best match' },
  { value: 'newest', label: 'Newest first' },
]

export const capitalised = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

function choice(name: string, label: string, options: readonly SearchOption[], { asked, faults }: FilledForm): Html {
  const option = ({ value, label: text }: SearchOption) =>
    html`<option value="${value}"!${value !== '' && value === asked[name] ? ' selected' : ''}>${text}</option>`
  return html`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}"!${described(name, faults)}>!${options.map(option)}</select>
!${faultOf(name, faults)}
</div>`
}

function entry(name: string, label: string, rules: Html, { asked, faults }: FilledForm, type = 'text'): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
<input type="${type}" id="${name}" name="${name}" value="${shown(asked[name])}" !${rules}!${described(name, faults)}>
!${faultOf(name, faults)}
</div>`
}

/** Control characters are not allowed in HTML and are not visible. */
const shown = (value = '') => value.replaceAll(/\p{Cc}/gu, ' ')

function described(name: string, faults: SearchFieldErrors, ...others: string[]): Html {
  const ids = [...(faults.has(name) ? [`${name}-fault`] : []), ...others]
  const invalid = faults.has(name) ? ' aria-invalid="true"' : ''
  return ids.length > 0 ? html`!${invalid} aria-describedby="${ids.join(' ')}"` : ''
}

const faultOf = (name: string, faults: SearchFieldErrors): Html =>
  faults.has(name) ? html`<p class="fault" id="${name}-fault">${faults.get(name)}</p>` : ''
