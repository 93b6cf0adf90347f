import { type CaseKind, verdictNamed } from '../../cases/case-kinds.ts'
import { listUndoable } from '../../cases/decide.ts'
import { type Html, html } from '../../markup/html.ts'
import type { Database } from '../../platform/database/database.ts'
import { csrfField } from '../../web-pages/form.ts'
import type { StaffRequest } from '../route.ts'
import { caseUrl, kindField } from './address.ts'
import { categoryTitle, keyCap, kindWords, nounOf } from './labels.ts'

type Shown = { at: Date; kind?: CaseKind | undefined }

/** Decisions that can still be undone, newest first. The script counts down the seconds. */
export async function undoBar({ db, sites, session, csrf }: StaffRequest, { at, kind }: Shown): Promise<Html> {
  const undoable = await listUndoable(db, { staffId: session.member.id, at })
  if (undoable.length === 0) return ''
  const names = await sitesOf(db, undoable)
  const items = undoable.map((decision, index) => {
    const { key, category, due_at } = decision
    const seconds = Math.max(1, Math.ceil((due_at.getTime() - at.getTime()) / 1_000))
    const isLast = index === 0
    const what = `${doneWords(decision)}: ${nounOf(sites, String(names.get(decision.post_id))).noun}`
    return html`<li data-seconds="${seconds}"><span class="done"><strong>${what}</strong>${category ? `, ${categoryTitle(category)}` : ''} <span class="soft">(${kindWords[decision.case_kind as CaseKind].one})</span></span>
<form method="post" action="${caseUrl(key)}/undo">!${csrfField(csrf)}!${kindField(kind)}<button class="button quiet slight" type="submit"!${isLast ? html` data-key="u"` : ''}>Undo!${isLast ? html` !${keyCap('u')}` : ''}<span class="unseen"> ${what}</span></button></form>
<span class="left" aria-hidden="true">${seconds} s</span></li>`
  })
  return html`<div class="undo" role="status" aria-label="Just decided"><ul class="plain">!${items.join('')}</ul></div>`
}

type Undoable = Awaited<ReturnType<typeof listUndoable>>[number]

const doneWords = ({ case_kind, verdict }: Undoable): string =>
  verdictNamed(case_kind as CaseKind, verdict)?.done ?? verdict

/** The kind of each post, by post id. */
async function sitesOf(db: Database, undoable: readonly Undoable[]): Promise<ReadonlyMap<string, string>> {
  const ids = undoable.map(({ post_id }) => post_id)
  const posts = await db.selectFrom('posts').select(['id', 'kind']).where('id', 'in', ids).execute()
  return new Map(posts.map(({ id, kind }) => [id, kind]))
}
