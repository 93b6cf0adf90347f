import { prices } from '../../ledger/prices.ts'
import { type Html, html } from '../../markup/html.ts'
import { csrfField, selectField } from '../../web-pages/form.ts'

const dollar = 1_000_000
export const rechargeThresholds: readonly number[] = [1, 2, 5, 10].map((dollars) => dollars * dollar)
export const dailyCaps: readonly number[] = [10, 25, 50, 100, 250].map((dollars) => dollars * dollar)

export type Recharging = { enabled: boolean; thresholdMicros: number; amountMicros: number; dailyCapMicros: number }
type Shown = { csrf: string; now: Recharging; faults: Record<string, string>; chosen: Record<string, string> }

/** The form with the current settings, or with the submitted ones if they were invalid. */
export function autoRechargeForm({ csrf, now, faults, chosen }: Shown): Html {
  const enabled = chosen['enabled'] ?? (now.enabled ? 'on' : 'off')
  const select = (name: string, label: string, { value, options }: { value: number; options: readonly number[] }) =>
    selectField({
      name,
      label,
      value: chosen[name] ?? String(value),
      options: options.map((micros) => ({ value: String(micros), label: `$${micros / dollar}` })),
      error: faults[name],
    })
  return html`<form method="post" action="/account/auto-recharge">!${csrfField(csrf)}
<fieldset class="choices row"><legend class="unseen">Auto-recharge</legend>
!${radio('on', 'On', enabled)}!${radio('off', 'Off', enabled)}
!${faults['enabled'] ? html`<p class="error">It ${faults['enabled']}.</p>` : ''}</fieldset>
<div class="fields">!${select('threshold', 'When the balance is below', { value: now.thresholdMicros, options: rechargeThresholds })}
!${select('amount', 'Charge the card', { value: now.amountMicros, options: prices.topUpMicros })}
!${select('cap', 'Maximum per day', { value: now.dailyCapMicros, options: dailyCaps })}</div>
<button class="button" type="submit">Save</button></form>`
}

const radio = (value: string, label: string, chosen: string): Html =>
  html`<label class="choice"><input type="radio" name="enabled" value="${value}"!${value === chosen ? html` checked` : ''}> ${label}</label>`
