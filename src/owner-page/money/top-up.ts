import { z } from 'zod'
import { prices } from '../../ledger/prices.ts'
import { startTopUp } from '../../payments/start-top-up.ts'
import { defineRoute } from '../route.ts'
import { withProvider } from './provider-fault.ts'

/** Writes the payment down, and leads to where it is paid. */
export const topUp = defineRoute({
  method: 'POST',
  path: '/account/top-up',
  needs: 'session',
  form: z.object({ amount: z.enum(prices.topUpMicros.map(String)) }),
  answer: (asked) =>
    withProvider(asked, async () => {
      const amountMicros = Number(asked.form.amount)
      const { paymentId, url } = await startTopUp(asked, { accountId: asked.session.accountId, amountMicros })
      return { seeOther: url ?? `/account/payments/${paymentId}` }
    }),
})
