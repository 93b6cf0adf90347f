import { prices } from '../../../../src/ledger/prices.ts'
import { type Random, randomFor } from '../../../../tooling/random.ts'
import type { PaymentProvider } from '../../../../tooling/services/payment-provider/server.ts'

/** How the provider reports a payment. */
export const manners = ['at_once', 'late', 'reversed', 'twice', 'never'] as const
export type Told = (typeof manners)[number]

export type Plan = ReturnType<typeof planRun>

/** All random choices of one run, reproducible by the seed. The moments of the kills are not. */
export function planRun(seed: number, number: number) {
  const random = randomFor(seed, number)
  const dispute = {
    outcome: random.pick(['won', 'lost'] as const),
    /** The dispute arrives while the owner requests the refund, not before. */
    meetsRefund: random.chance(0.5),
  }
  return {
    number,
    random,
    amountMicros: random.pick(prices.topUpMicros),
    told: mannerOf(seed, number),
    isDeclinedFirst: random.chance(0.25),
    /** How often the balance falls below the recharge threshold. */
    crossings: number % 5 === 0 ? 1 + random.below(2) : 0,
    dispute: number % 11 === 0 ? dispute : null,
    asksBack: random.chance(number % 11 === 0 ? 0.6 : 0.3),
  }
}

/** Each group of five runs uses every way once. */
function mannerOf(seed: number, number: number): Told {
  const [block, place] = [Math.floor((number - 1) / manners.length), (number - 1) % manners.length]
  const random = randomFor(seed, -1 - block)
  const left: Told[] = [...manners]
  for (let at = 0; at < place; at++) left.splice(left.indexOf(random.pick(left)), 1)
  return random.pick(left)
}

export type Troubles = { answers_lost: number; failures: number }

/**
 * In one of three runs the provider fails for a while. Its driver retries three times by itself, so four requests fail.
 */
export function makeTrouble(double: PaymentProvider, random: Random, troubles: Troubles): void {
  if (!random.chance(1 / 3)) return
  const count = 1 + random.below(4)
  if (random.chance(0.5)) {
    double.loseAnswers(count)
    troubles.answers_lost += count
  } else {
    double.failWith(...Array.from({ length: count }, () => 500))
    troubles.failures += count
  }
}
