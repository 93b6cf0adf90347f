import { type Context, openKeyedClient } from '../context.ts'
import { oneLine, usd } from '../terminal/text.ts'

export async function balance(context: Context): Promise<void> {
  const { out } = context
  const { balance_micros, owed_micros, auto_recharge, account_url } = await (
    await openKeyedClient(context)
  ).getAccount()
  out.document({ balance_micros, owed_micros, auto_recharge, account_url })
  out.print(`Balance:        ${out.style('bold', usd(balance_micros))}`)
  if (owed_micros > 0) out.print(`Owed:           ${out.style('red', usd(owed_micros))}`)
  const { enabled, threshold_micros, amount_micros } = auto_recharge
  out.print(`Auto-recharge:  ${enabled ? `${usd(amount_micros)} below ${usd(threshold_micros)}` : 'off'}`)
  out.print(`For the owner:  ${oneLine(account_url)}`)
}
