import { z } from 'zod'
import { prices } from '../../ledger/prices.ts'
import { changeAutoRecharge } from '../../payments/change-auto-recharge.ts'
import { withConfirmedKeys } from '../keys/confirm-keys.ts'
import { defineOwnerRoute } from '../route.ts'
import { dailyCaps, rechargeThresholds } from './auto-recharge-form.ts'
import { showMoney } from './money-page.ts'

const form = z
  .object({
    enabled: z.enum(['on', 'off']),
    threshold: z.enum(rechargeThresholds.map(String)),
    amount: z.enum(prices.topUpMicros.map(String)),
    cap: z.enum(dailyCaps.map(String)),
  })
  .refine(({ threshold, amount }) => Number(threshold) <= Number(amount), {
    path: ['amount'],
    error: 'must be at least the balance that triggers it',
  })
  .refine(({ amount, cap }) => Number(amount) <= Number(cap), {
    path: ['cap'],
    error: 'must be at least the amount of one recharge',
  })

export const autoRecharge = defineOwnerRoute({
  method: 'POST',
  path: '/account/auto-recharge',
  needs: 'session',
  form,
  answer: async (asked) => {
    const { enabled, threshold, amount, cap } = asked.form
    const change = async () => {
      const done = await changeAutoRecharge(asked.db, {
        accountId: asked.session.accountId,
        enabled: enabled === 'on',
        thresholdMicros: Number(threshold),
        amountMicros: Number(amount),
        dailyCapMicros: Number(cap),
        at: asked.clock.now(),
      })
      if (done === 'no_card') return showMoney(asked, { faults: { enabled: 'needs a card on file' } })
      return { seeOther: '/account/money#auto-recharge' }
    }
    return enabled === 'on' ? withConfirmedKeys(asked, change) : change()
  },
  unfit: (asked, faults) => showMoney(asked, { faults, chosen: asked.form }),
})
