import { kinds } from '../../kinds/index.ts'
import type { Balance } from '../../ledger/balance.ts'
import { amount } from '../../markup/money.ts'

/** The number of posts that a balance pays for: "Enough for about 500 messages, 100 stories, 50 ads or 100 events." */
export function whatItBuys({ prepaidMicros, owedMicros }: Balance): string {
  if (owedMicros > 0)
    return `${amount(owedMicros)} is owed. Your next top-up pays it first. Until then, your agent cannot spend.`
  const shown = kinds
    .map(({ priceMicros, site }) => ({ count: Math.floor(prepaidMicros / priceMicros), site }))
    .filter(({ count }) => count > 0)
    .map(({ count, site }) => `${count.toLocaleString('en')} ${count === 1 ? site.noun : site.plural}`)
  return shown.length === 0
    ? `This is not enough for a post. ${pricesInWords()}`
    : `Enough for about ${joined(shown, 'or')}.`
}

/** "Prices: messages $0.02, stories $0.10 …" */
const pricesInWords = (): string =>
  `Prices: ${joined(
    kinds.map(({ site, priceMicros }) => `${site.plural} ${amount(priceMicros)}`),
    'and',
  )}.`

/** `a, b or c` */
const joined = (parts: readonly string[], word: string): string =>
  parts.length > 1 ? `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}` : parts.join('')
