import { z } from 'zod'
import { type KeyScope, keyName, keyScope } from '../../accounts/keys/key-record.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { textField } from '../../web-pages/form.ts'

/** Dollars with up to six decimals, as prices have them; nothing for no cap. */
const cap = z
  .string()
  .trim()
  .default('')
  .refine((text) => /^(?:\$?\d{1,6}(?:\.\d{1,6})?)?$/.test(text), 'must be an amount such as 2.50, or be left empty')
  .transform((text) => (text === '' ? null : microsOf(text)))

/** What an owner decides of a key. */
export const keyFields = { name: z.string().trim().pipe(keyName), scope: keyScope, cap }

/** By its digits: as a fraction, 2.3 dollars are not quite what they seem. */
function microsOf(text: string): number {
  const [whole, decimals = ''] = text.replace('$', '').split('.')
  return Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'))
}

export type KeyValues = { name: string; scope: string; cap: string }

export const newKeyValues: KeyValues = { name: '', scope: 'full', cap: '' }

/** What a key has now, as the fields show it. */
export const valuesOf = (key: { name: string; scope: KeyScope; daily_cap_micros: number | null }): KeyValues => ({
  name: key.name,
  scope: key.scope,
  cap: key.daily_cap_micros === null ? '' : amount(key.daily_cap_micros).replaceAll(/[$,]/g, ''),
})

/** What was just sent, to be put right. */
export const valuesSent = ({ name = '', scope = 'full', cap = '' }: Record<string, string>): KeyValues => ({
  name,
  scope,
  cap,
})

const scopes: Record<KeyScope, string> = {
  full: 'Everything that the API offers to agents: post, edit, delete, webhooks',
  read: 'Read only: your account, posts and searches',
}

export function keyInputs({ name, scope, cap }: KeyValues, faults: Record<string, string>): Html {
  const radios = Object.entries(scopes).map(
    ([value, label]) =>
      html`<label class="choice"><input type="radio" name="scope" value="${value}"!${value === scope ? html` checked` : ''}> ${label}</label>`,
  )
  return html`!${textField({
    name: 'name',
    label: 'Name',
    value: name,
    hint: 'For you alone: which agent has it, or where it is kept.',
    error: faults['name'],
    attributes: html`required maxlength="80" autocomplete="off"`,
  })}
<fieldset class="choices"><legend>What it may do</legend>
!${radios.join('\n')}
!${faults['scope'] ? html`<p class="error">It ${faults['scope']}.</p>` : ''}</fieldset>
!${textField({
    name: 'cap',
    label: 'Daily cap in dollars (optional)',
    value: cap,
    hint: 'What it may spend in a day, from 00:00 UTC. Left empty: as much as the balance has.',
    error: faults['cap'],
    attributes: html`inputmode="decimal" autocomplete="off" maxlength="20"`,
  })}`
}
