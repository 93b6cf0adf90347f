import type { Actions, RefundOutcome } from './actions.ts'
import { refused } from './objects.ts'
import type { Store } from './store.ts'
import type { Webhooks } from './webhooks.ts'

/** Faults for the next requests. */
export type Trouble = { answersToLose: number; failures: number[] }

type Control = (asked: (name: string) => string | undefined) => object | undefined | Promise<object | undefined>

/** Controls that Stripe does not have, at POST /double/…. Tests use them to trigger events. */
export function controlsOn(
  store: Store,
  webhooks: Webhooks,
  actions: Actions,
  trouble: Trouble,
): Record<string, Control> {
  return {
    hold: () => void webhooks.hold(),
    release: (asked) => void webhooks.release({ reverse: asked('reverse') === 'true', of: asked('of') }),
    drop: (asked) => void webhooks.drop({ of: asked('of') }),
    'deliver-again': (asked) => webhooks.deliverAgain(needed(asked('event'))),
    'send-events-to': (asked) => void webhooks.sendTo(needed(asked('url'))),
    pay: (asked) => actions.pay(needed(asked('session')), { last4: asked('card') ?? '4242' }).intent,
    'leave-card': (asked) => actions.leaveCard(needed(asked('session')), asked('card')).card,
    expire: (asked) => actions.expire(needed(asked('session'))),
    refund: (asked) => actions.refund(needed(asked('intent')), optionalAmount(asked('amount'))),
    refunds: (asked) => void actions.makeRefunds(needed(asked('outcome')) as RefundOutcome),
    'settle-refund': (asked) =>
      actions.settleRefund(needed(asked('refund')), needed(asked('outcome')) as 'succeeded' | 'failed'),
    dispute: (asked) => actions.dispute(needed(asked('intent')), optionalAmount(asked('amount')).amount),
    'close-dispute': (asked) =>
      actions.closeDispute(needed(asked('dispute')), needed(asked('outcome')) as 'won' | 'lost'),
    'lose-answers': (asked) => {
      trouble.answersToLose = Number(asked('count') ?? 1)
      return undefined
    },
    fail: (asked) => {
      trouble.failures.push(Number(asked('status') ?? 500))
      return undefined
    },
    list: () => ({
      sessions: store.list('checkout.session'),
      intents: store.list('payment_intent'),
      refunds: store.list('refund'),
      disputes: store.list('dispute'),
      customers: store.list('customer'),
      cards: store.list('payment_method'),
      events: webhooks.list(),
    }),
  }
}

function needed(value: string | undefined): string {
  if (!value) throw refused(400, 'parameter_missing', 'The request is missing a parameter.')
  return value
}

const optionalAmount = (text: string | undefined) => (text ? { amount: Number(text) } : {})
