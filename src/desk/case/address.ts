import { type CaseKind, caseKinds, kindOfCase } from '../../cases/case-kinds.ts'
import { type Html, html } from '../../markup/html.ts'
import type { StaffRequest } from '../route.ts'

/** The URL of a case. Colons need no escaping in a path. `kind`: the kind of case that the reviewer filters by. */
export const caseUrl = (key: string, kind?: CaseKind): string => `/cases/${escaped(key)}${kind ? `?kind=${kind}` : ''}`

const escaped = (key: string) => encodeURIComponent(key).replaceAll('%3A', ':')

/** The case key in a URL, or null if it cannot be a valid key. */
export const readKey = (key = ''): string | null =>
  kindOfCase(key) && /^[a-z]+:[a-z0-9_]+(:\d+)?$/.test(key) ? key : null

/** The kind of case the reviewer filters by, from the form or the URL; undefined for all kinds. */
export function chosenKind({ form, query }: Pick<StaffRequest, 'form' | 'query'>): CaseKind | undefined {
  const chosen = (form as Record<string, unknown>)['kind'] ?? query['kind']
  return caseKinds.find((kind) => kind === chosen)
}

/** Carries the chosen kind from page to page. */
export const kindField = (kind: CaseKind | undefined): Html =>
  kind ? html`<input type="hidden" name="kind" value="${kind}">` : ''
