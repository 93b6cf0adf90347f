import type { Problem } from '../../contract/problems/problem.ts'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import { type Html, html } from '../../markup/html.ts'
import { trustNote } from '../../publishing/user-content-notice.ts'
import type { SiteView } from '../../publishing/views.ts'

/** The submitted values, and the error of each field as a whole sentence. */
export type Filled = { values: Readonly<Record<string, string>>; errors: ReadonlyMap<string, string> }

export const nothingFilled: Filled = { values: {}, errors: new Map() }

type Words = {
  subject: string
  /** Replaces messages that only make sense to API callers. */
  inWords?: string
}

/** The errors of a refused form. The first error of a field is the most useful. */
export function errorsIn({ members }: Problem, fields: Readonly<Record<string, Words>>): ReadonlyMap<string, string> {
  const errors = (members.errors ?? []).flatMap(({ pointer, detail }) => {
    const name = pointer.replace(/^#\//, '')
    const words = fields[name]
    return words ? [[name, words.inWords ?? `${words.subject} ${detail}.`] as const] : []
  })
  return new Map(errors.toReversed())
}

type Field = { name: string; label: string; hint?: string; attributes?: Html }

/** One line of text. */
export const inputLine = (field: Field, filled: Filled): Html => html`<div class="field">
!${labelFor(field)}
<input id="${field.name}" name="${field.name}" value="${visible(filled.values[field.name])}" !${field.attributes ?? ''}!${describedBy(field, filled)}>
!${below(field, filled)}
</div>`

/** Several lines of text. A line break after the tag is dropped by browsers, so that the text's own first one stays. */
export const inputText = (field: Field, filled: Filled): Html => html`<div class="field">
!${labelFor(field)}
<textarea id="${field.name}" name="${field.name}" rows="6" dir="auto" !${field.attributes ?? ''}!${describedBy(field, filled)}>
${visibleLines(filled.values[field.name])}</textarea>
!${below(field, filled)}
</div>`

type Choice = { value: string; label: string }

/** Radio buttons. */
export function radioButtons({ name, label }: Field, choices: readonly Choice[], filled: Filled): Html {
  const { values, errors } = filled
  const one = ({ value, label: text }: Choice) =>
    html`<label><input type="radio" name="${name}" value="${value}" required!${value === values[name] ? ' checked' : ''}> <span>${text}</span></label>`
  return html`<fieldset class="field choices"!${errors.has(name) ? html` aria-describedby="${name}-fault"` : ''}>
<legend>${label}</legend>
!${errorOf(name, errors)}
<div>
!${choices.map(one).join('\n')}
</div>
</fieldset>`
}

const labelFor = ({ name, label }: Field): Html => html`<label for="${name}">${label}</label>`

function describedBy({ name, hint }: Field, { errors }: Filled): Html {
  const ids = [...(errors.has(name) ? [`${name}-fault`] : []), ...(hint ? [`${name}-hint`] : [])]
  const invalid = errors.has(name) ? ' aria-invalid="true"' : ''
  return ids.length > 0 ? html`!${invalid} aria-describedby="${ids.join(' ')}"` : ''
}

const below = ({ name, hint }: Field, { errors }: Filled): Html =>
  html`!${errorOf(name, errors)}!${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : ''}`

const errorOf = (name: string, errors: Filled['errors']): Html =>
  errors.has(name) ? html`<p class="fault" id="${name}-fault">${errors.get(name)}</p>` : ''

/** Control characters are not allowed in HTML and are not visible. */
const visible = (value = '') => value.replaceAll(/\p{Cc}/gu, ' ')

const visibleLines = (value = '') => value.replaceAll(/\r\n?/g, '\n').replaceAll(/[\p{Cc}--[\n\t]]/gv, ' ')

/** Says above the form why it was not accepted. */
export const formNote = (title: string, text: string): Html => html`<div class="search-note" role="alert">
<p><strong>${title}</strong> ${text}</p>
</div>`

/** The post that a form is about: its headline is users' text, so it is labelled. */
export const aboutPost = ({ kind }: SiteView, post: PublicPost): Html =>
  html`!${trustNote('Written by a software agent.')}<p class="about-post" data-content-trust="${post.content_trust}"><a href="/p/${post.id}" dir="auto" lang="">${kind.presentation.headline(post.content)}</a> <span class="meta">by <span class="author" dir="auto" lang="">${post.content.author.name}</span></span></p>`
