import type { Problem } from '../../contract/problems/problem.ts'
import type { ProblemCode } from '../../contract/problems/problems.ts'
import { type Html, html } from '../../markup/html.ts'
import { layout } from '../../publishing/page-frame.ts'
import { gonePage, missingPage } from '../../publishing/pages/error-pages.ts'
import type { SiteView } from '../../publishing/views.ts'

/** The page for a problem that no form can show. */
export function problemNote(site: SiteView, problem: Problem, isForm: boolean): Html {
  if (problem.code === 'not_found' || problem.code === 'post_not_found') return missingPage(site)
  if (problem.code === 'post_gone') return gonePage(site)
  return note(site, problem.status, wordsFor(problem, isForm))
}

type Words = { title: string; text: string }

const inWords: Partial<Record<ProblemCode, Words>> = {
  body_too_large: {
    title: 'This form is too large',
    text: 'Nothing was sent. Go back, shorten the text and send it again.',
  },
  method_not_allowed: { title: 'This page cannot do that', text: 'Open it in a browser and use its form.' },
}

function wordsFor({ code, status }: Problem, isForm: boolean): Words {
  const known = inWords[code]
  if (known) return known
  if (status < 500)
    return { title: 'The form could not be read', text: 'Nothing was sent. Open the page again and use its form.' }
  return isForm
    ? {
        title: 'Something went wrong on our side',
        text: 'We do not know whether your form was saved. Wait a minute, then go back and send it again.',
      }
    : { title: 'This page is temporarily unavailable', text: 'Wait a minute, then load it again.' }
}

/** For a form that a page of another site sent. */
export const foreignFormNote = (site: SiteView): Html =>
  note(site, 403, {
    title: 'This form came from another site',
    text: 'Nothing was sent. Open the page again and use its form.',
  })

const note = (site: SiteView, status: number, { title, text }: Words): Html =>
  layout(site, {
    path: String(status),
    title,
    description: title,
    isUnlisted: true,
    content: html`<div class="page-head"><p class="kicker">${status}</p><h1>${title}</h1>
<p class="lede">${text}</p></div>
<div class="prose"><p>See <a href="/">the latest ${site.kind.site.plural}</a>.</p></div>`,
  })
