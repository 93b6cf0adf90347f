import { checkingOut } from './checkout.ts'
import { disputing, givingBack } from './give-back.ts'
import type { Parts } from './parts.ts'
import { takingMoney } from './take-money.ts'

export type Actions = ReturnType<typeof actionsOn>

/** What can happen at the provider, with all that follows from it there. */
export function actionsOn(parts: Parts) {
  const taking = takingMoney(parts)
  return { ...taking, ...givingBack(parts), ...disputing(parts), ...checkingOut(parts, taking) }
}
