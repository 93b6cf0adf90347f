import { defineOwnerRoute } from '../route.ts'
import { autoRecharge } from './auto-recharge.ts'
import { cardRoutes } from './card.ts'
import { showMoney } from './money-page.ts'
import { payment } from './payment-page.ts'
import { receipt } from './receipt.ts'
import { refundRoutes } from './refund.ts'
import { topUpRoute } from './top-up.ts'

const money = defineOwnerRoute({
  method: 'GET',
  path: '/account/money',
  needs: 'session',
  answer: (asked) => showMoney(asked),
})

export const moneyRoutes = [money, topUpRoute, payment, receipt, autoRecharge, ...cardRoutes, ...refundRoutes]
