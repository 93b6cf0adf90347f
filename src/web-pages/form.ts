import { type Html, html } from '../markup/html.ts'

/** The hidden field that every form sent by POST needs. */
export const csrfField = (csrf: string): Html => html`<input type="hidden" name="csrf" value="${csrf}">`

type TextField = {
  name: string
  label: string
  value?: string
  hint?: string
  /** The error: whole sentences, or the rest of one that starts with "It": "must have 1 to 60 characters". */
  error?: string | undefined
  /** Additional attributes: html`autocomplete="email" maxlength="254"`. */
  attributes?: Html
}

/** A text field with its hint and error. */
export function textField({ name, label, value = '', hint, error, attributes = '' }: TextField): Html {
  return html`<div class="field"><label for="${name}">${label}</label>
<input type="text" id="${name}" name="${name}" value="${value}" !${described(name, { hint, error })} !${attributes}>
!${notes(name, { hint, error })}</div>`
}

type Select = {
  name: string
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  error?: string | undefined
}

/** A select field with its error. */
export function selectField({ name, label, value, options, error }: Select): Html {
  const shown = options.map(
    (option) =>
      html`<option value="${option.value}"!${option.value === value ? html` selected` : ''}>${option.label}</option>`,
  )
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}" !${described(name, { error })}>!${shown.join('')}</select>
!${notes(name, { error })}</div>`
}

type Notes = { hint?: string | undefined; error?: string | undefined }

/** The attributes that link a field to its hint and error. */
export function described(name: string, { hint, error }: Notes): Html {
  const ids = [...(error ? [`${name}-error`] : []), ...(hint ? [`${name}-hint`] : [])]
  const invalid = error ? html`aria-invalid="true" ` : ''
  return ids.length === 0 ? '' : html`!${invalid}aria-describedby="${ids.join(' ')}"`
}

/** The hint and error below the field. */
export const notes = (name: string, { hint, error }: Notes): Html =>
  html`!${error ? html`<p class="error" id="${name}-error">${sentenceOf(error)}</p>` : ''}!${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : ''}`

const sentenceOf = (error: string): string => (/^\p{Lu}/u.test(error) ? error : `It ${error}.`)
