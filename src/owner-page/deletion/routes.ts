import { z } from 'zod'
import { cancelDeletion } from '../../accounts/deletion/request-deletion.ts'
import { defineOwnerRoute } from '../route.ts'
import { waitForWorkers } from '../webhooks/wait-for-workers.ts'
import { deletionPage, goodbyePage, word } from './deletion-page.ts'
import { endAccount } from './end-account.ts'

const showDeletion = defineOwnerRoute({
  method: 'GET',
  path: '/account/deletion',
  needs: 'session',
  answer: (asked) => deletionPage(asked, { wantsRefund: true }),
})

const confirmDeletion = defineOwnerRoute({
  method: 'POST',
  path: '/account/deletion',
  needs: 'session',
  form: z.object({
    word: z
      .string()
      .trim()
      .refine((given) => given.toUpperCase() === word, `must be ${word}`),
    refund: z.literal('yes').optional(),
  }),
  answer: async ({ db, clock, logger, session, form }) => {
    const { accountId } = session
    const webhookIds = await endAccount(db, { accountId, wantsRefund: form.refund === 'yes', at: clock.now() })
    await waitForWorkers({ db, logger }, webhookIds)
    return { seeOther: '/goodbye', cookies: { session: null, visit: null } }
  },
  unfit: (asked, faults) =>
    deletionPage(asked, { wantsRefund: asked.form['refund'] === 'yes', fault: faults['word'] ?? null }),
})

const keepAccount = defineOwnerRoute({
  method: 'POST',
  path: '/account/deletion/cancel',
  needs: 'session',
  answer: async ({ db, clock, session }) => {
    await cancelDeletion(db, { accountId: session.accountId, at: clock.now() })
    return { seeOther: '/account/settings' }
  },
})

/** Needs no session, because the account is already deleted. */
const sayGoodbye = defineOwnerRoute({
  method: 'GET',
  path: '/goodbye',
  needs: 'nothing',
  answer: ({ payments }) => ({ page: goodbyePage(payments) }),
})

export const deletionRoutes = [showDeletion, confirmDeletion, keepAccount, sayGoodbye]
