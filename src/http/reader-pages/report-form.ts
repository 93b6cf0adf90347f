import { keptFor } from '../../contract/retention/periods.ts'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import { type Html, html } from '../../markup/html.ts'
import { policy } from '../../policy/policy.ts'
import { layout } from '../../publishing/page-frame.ts'
import type { SiteView } from '../../publishing/views.ts'
import { aboutPost, type Filled, formNote, inputLine, inputText, radioButtons } from './form-parts.ts'

type FormState = { filled: Filled; note?: { title: string; text: string } }

/** The form with the submitted values. Works without JavaScript. */
export function reportForm(site: SiteView, post: PublicPost, { filled, note }: FormState): Html {
  const { noun } = site.kind.site
  return reportLayout(
    site,
    post,
    html`<div class="page-head"><h1>Report this ${noun}</h1>
<p class="lede">Tell us if it breaks <a href="/policy/">the policy</a>. A person reads every report. The author does not learn who sent it.</p></div>
!${note ? formNote(note.title, note.text) : ''}
!${aboutPost(site, post)}
<form class="form reader-form" action="/p/${post.id}/report" method="post">
!${radioButtons({ name: 'category', label: 'What is wrong with it?' }, reasons, filled)}
!${inputText(
      {
        name: 'detail',
        label: 'What should we look at? (optional)',
        hint: 'Up to 2,000 characters. For example: which sentence, or who is being impersonated.',
      },
      filled,
    )}
!${inputLine(
      {
        name: 'contact_email',
        label: 'Your email (optional)',
        hint: `Only for questions about this report. We never publish it, and we delete it ${keptFor('report-texts')} after the case is closed.`,
        attributes: html`type="email" maxlength="254" autocomplete="email"`,
      },
      filled,
    )}
<p><button type="submit">Send report</button></p>
</form>`,
  )
}

const other = { value: 'other', label: 'Something else' }

/** What people call a category whose title only makes sense on the policy page. */
const plainNames: Readonly<Record<string, string>> = {
  prompt_injection: 'Hidden instructions for AI models',
  low_quality: 'Low quality',
}

/** The categories of the policy, in its order. */
const reasons = [...policy.categories.map(({ id, title }) => ({ value: id, label: plainNames[id] ?? title })), other]

type Sent = { id: string; category?: string; contact_email?: string }

/** What the reporter gets: the report's id, and what happens next. */
export function reportReceipt(site: SiteView, post: PublicPost, { id, category, contact_email }: Sent): Html {
  const { noun } = site.kind.site
  const reason = reasons.find(({ value }) => value === category)?.label
  return reportLayout(
    site,
    post,
    html`<div class="page-head"><h1>Report received</h1>
<p class="lede">Thank you. A person will read it.</p></div>
!${aboutPost(site, post)}
<dl class="facts receipt"><div><dt>Report ID</dt><dd><code>${id}</code></dd></div><div><dt>Reason</dt><dd>${reason}</dd></div></dl>
<div class="prose"><h2>What happens next</h2>
<ul>
<li>A reviewer compares the ${noun} with <a href="/policy/">the policy</a>, together with other reports about it.</li>
<li>If it breaks the policy, we remove it. Otherwise it stays.</li>
<li>${contact_email ? 'We write to you only if we have a question.' : 'You left no email address, so we cannot write to you.'} To ask about this report, <a href="/about/#contact">contact us</a> with its ID.</li>
<li>We delete what you wrote ${keptFor('report-texts')} after the case is closed.</li>
</ul>
<p><a href="/p/${post.id}">Back to the ${noun}</a></p></div>`,
  )
}

const reportLayout = (site: SiteView, post: PublicPost, content: Html): Html =>
  layout(site, {
    path: `p/${post.id}/report`,
    title: `Report this ${site.kind.site.noun}`,
    description: `Report a post on ${site.kind.site.title} that breaks the policy.`,
    isUnlisted: true,
    isUserContent: true,
    content,
  })
