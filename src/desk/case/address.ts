import { type CaseKind, caseKinds, kindOfCase } from '../../cases/case-kinds.ts'
import { type Html, html } from '../../markup/html.ts'
import type { StaffRequest } from '../route.ts'

/** Where a case is. A colon may stand in a path as it is. `kind`: the kind of case that somebody keeps to. */
export const caseUrl = (key: string, kind?: CaseKind): string => `/cases/${escaped(key)}${kind ? `?kind=${kind}` : ''}`

const escaped = (key: string) => encodeURIComponent(key).replaceAll('%3A', ':')

/** The key that an address names; null when no case can have it. */
export const readKey = (key = ''): string | null =>
  kindOfCase(key) && /^[a-z]+:[a-z0-9_]+(:\d+)?$/.test(key) ? key : null

/** The kind of case that somebody keeps to, by the form or the address; undefined for who takes all. */
export function chosenKind({ form, query }: Pick<StaffRequest, 'form' | 'query'>): CaseKind | undefined {
  const chosen = (form as Record<string, unknown>)['kind'] ?? query['kind']
  return caseKinds.find((kind) => kind === chosen)
}

/** What carries the chosen kind from page to page. */
export const kindField = (kind: CaseKind | undefined): Html =>
  kind ? html`<input type="hidden" name="kind" value="${kind}">` : ''
