import { z } from 'zod'
import { type KeyScope, keyName } from '../../accounts/keys/key-record.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { textField } from '../../web-pages/form.ts'
import { accessOptions, accessValue, chosenAccess } from './access-choices.ts'

/** Dollars with up to six decimals; empty for no cap. */
export const cap = z
  .string()
  .trim()
  .default('')
  .refine((text) => /^(?:\$?\d{1,6}(?:\.\d{1,6})?)?$/.test(text), 'must be an amount such as 2.50, or empty')
  .transform((text) => (text === '' ? null : microsOf(text)))

/** The key settings that an owner can choose. */
export const keyFields = { name: z.string().trim().pipe(keyName), scope: chosenAccess, cap }

/** Parses whole dollars and decimals separately: as a floating-point number, 2.3 dollars would not be exact. */
function microsOf(text: string): number {
  const [whole, decimals = ''] = text.replace('$', '').split('.')
  return Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'))
}

export type KeyValues = { name: string; scope: string; cap: string }

export const newKeyValues: KeyValues = { name: '', scope: 'full', cap: '' }

type StoredKey = { name: string; scope: KeyScope; scopes: string[] | null; daily_cap_micros: number | null }

/** The key's current settings as form values. */
export const valuesOf = (key: StoredKey): KeyValues => ({
  name: key.name,
  scope: accessValue(key),
  cap: capValue(key.daily_cap_micros),
})

/** A cap as the form's field has it. */
export const capValue = (micros: number | null): string =>
  micros === null ? '' : amount(micros).replaceAll(/[$,]/g, '')

/** The submitted values, to show in the form again. */
export const valuesSent = ({ name = '', scope = 'full', cap = '' }: Record<string, string>): KeyValues => ({
  name,
  scope,
  cap,
})

export function keyInputs(values: KeyValues, faults: Record<string, string>, current?: StoredKey): Html {
  const { name, scope, cap } = values
  const radios = accessOptions(current).map(
    ([value, label]) =>
      html`<label class="choice"><input type="radio" name="scope" value="${value}"!${value === scope ? html` checked` : ''}> ${label}</label>`,
  )
  return html`!${textField({
    name: 'name',
    label: 'Name',
    value: name,
    hint: 'Only you see the name. For example, name the agent that uses the key.',
    error: faults['name'],
    attributes: html`required maxlength="80" autocomplete="off"`,
  })}
<fieldset class="choices"><legend>Access</legend>
!${radios.join('\n')}
!${faults['scope'] ? html`<p class="error">It ${faults['scope']}.</p>` : ''}</fieldset>
!${textField({
    name: 'cap',
    label: 'Daily cap in dollars (optional)',
    value: cap,
    hint: 'The maximum that the key can spend per UTC day. Leave empty for no cap.',
    error: faults['cap'],
    attributes: html`inputmode="decimal" autocomplete="off" maxlength="20"`,
  })}`
}
