import { type Html, html } from '../markup/html.ts'
import { mayDo, type StaffRole } from '../staff/roles.ts'

const entries = {
  queue: { path: '/', label: 'Queue', needs: 'reviewer' },
  decisions: { path: '/decisions', label: 'Decisions', needs: 'reviewer' },
  numbers: { path: '/numbers', label: 'Numbers', needs: 'lead' },
  staff: { path: '/staff', label: 'Staff', needs: 'admin' },
  log: { path: '/log', label: 'Log', needs: 'admin' },
} as const satisfies Record<string, { path: string; label: string; needs: StaffRole }>

export type Section = keyof typeof entries

/** The parts of the desk that the role opens. */
export function nav(current: Section | null, role: StaffRole): Html {
  const items = Object.entries(entries)
    .filter(([, { needs }]) => mayDo(role, needs))
    .map(
      ([section, { path, label }]) =>
        html`<li><a href="${path}"!${section === current ? html` aria-current="page"` : ''}>${label}</a></li>`,
    )
  return html`<nav class="sections" aria-label="The desk"><ul>!${items.join('')}</ul></nav>`
}
