import { showProgress } from '../../../../src/bin/progress.ts'
import { connect } from '../../../../src/platform/database/database.ts'
import { randomFor } from '../../../../tooling/random.ts'
import { startPaymentProvider } from '../../../../tooling/services/payment-provider/server.ts'
import { openEnvironment } from '../environment.ts'
import { settleMs, toSeconds } from '../outcomes.ts'
import { openPool } from '../traffic.ts'
import { startKiller } from './killer.ts'
import { type Place, type Played, playOwner } from './owner-journey.ts'
import { manners, planRun } from './plan.ts'
import { untilAllBooked, verifyPayments } from './verify-payments.ts'

type Options = {
  runs: number
  owners: number
  seed: number
}

const keys = { secretKey: 'sk_test_chaos', webhookSecret: 'whsec_of_the_chaos' }
/** The retry delays, together longer than any process is down. */
const retryDelaysMs = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800]

/**
 * An agent has no balance, and its owner tops up. Some cards are declined first, some are recharged when the balance
 * falls, some payments are disputed, and some owners withdraw the rest. The provider fails, cuts connections after
 * executing requests, and reports payments immediately, late, in reverse, twice or never; meanwhile the API, owner page
 * and worker are killed. The agent's call must succeed in the end, and our ledger must match the provider's records.
 */
export async function topUpWhileKilling({ runs, owners, seed }: Options) {
  const startedAt = performance.now()
  await using double = await startPaymentProvider({ port: 0, ...keys, retryDelaysMs })
  await using environment = await openEnvironment({
    driver: 'always-on',
    workers: 1,
    settings: {
      PAYMENTS_DRIVER: 'stripe',
      STRIPE_SECRET_KEY: keys.secretKey,
      STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
      STRIPE_API_URL: double.apiUrl,
      STRIPE_CHECKOUT_ORIGIN: double.checkoutOrigin,
    },
  })
  const [ownerPage] = await Promise.all([environment.startOwnerPage(), environment.startWorkers()])
  const { owner_page, operator: operatorUrl } = environment.database.urls
  await using page = connect(owner_page, { poolMax: 2, applicationName: 'chaos owners' })
  await using operator = connect(operatorUrl, { poolMax: 2, applicationName: 'chaos operator' })
  const accountPageUrl = String(environment.settings.ACCOUNT_PAGE_URL)
  double.webhooks.sendTo(`${accountPageUrl}/payments/events`)

  const troubles = { answers_lost: 0, failures: 0 }
  const place = { environment, accountPageUrl, double, db: page.db, operator: operator.db, troubles }
  const processes = [...environment.apis, ...environment.workers, ownerPage]
  const { all, broken, kills } = await playAll(place, { runs, owners, seed, victims: processes })
  await Promise.all(processes.map((one) => one.untilUp()))
  if (!(await untilAllBooked(environment, double, settleMs)))
    broken.push(`payments or jobs are still waiting ${settleMs / 1_000} s after the last kill`)
  const { figures, faults } = await verifyPayments(place, all)
  const wrong = [...broken, ...faults, ...environment.deaths(), ...ownerPage.deaths]
  return {
    ...{ runs, seed, kills, ...troubles, ...figures, ...describe(all, seed) },
    seconds: toSeconds(performance.now() - startedAt),
    ...environment.logsIf(wrong.length > 0),
    broken: wrong,
  }
}

type Whole = Options & { victims: Parameters<typeof startKiller>[0]['victims'] }

/** Runs `owners` owners concurrently while processes are killed. */
async function playAll(place: Place, { runs, owners, seed, victims }: Whole) {
  const [all, broken]: [Partial<Played>[], string[]] = [[], []]
  const show = showProgress('owners')
  const pool = openPool(owners)
  const killer = startKiller({
    victims,
    random: randomFor(seed, 0),
    begun: () => all.length,
    logFolder: place.environment.logFolder,
  })
  let done = 0
  for (let number = 1; number <= runs; number++)
    pool.add(async () => {
      const played: Partial<Played> = {}
      all[number - 1] = played
      try {
        await playOwner(place, planRun(seed, number), played)
      } catch (error) {
        const { accountId, paymentId } = played
        broken.push(`run ${number} (${accountId}, ${paymentId}): ${wordsOf(error)}`)
      }
      show(++done, runs)
    })
  await Promise.race([pool.untilLeft(0), killer.killing])
  await killer.end()
  return { all, broken, kills: killer.kills }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause ? `${error.message} (${wordsOf(error.cause)})` : error.message
}

/** How long the owners waited, and the run that waited longest. */
function describe(all: readonly Partial<Played>[], seed: number) {
  const plans = all.map((_, at) => planRun(seed, at + 1))
  const slowest = all.reduce(
    (most, { secondsToAccepted = 0 }, at) => {
      return secondsToAccepted > most.seconds ? { run: at + 1, seconds: secondsToAccepted } : most
    },
    { run: 0, seconds: 0 },
  )
  return {
    told: Object.fromEntries(manners.map((one) => [one, plans.filter(({ told }) => told === one).length])),
    declined_first: plans.filter(({ isDeclinedFirst }) => isDeclinedFirst).length,
    asked_for_refunds: plans.filter(({ asksBack }) => asksBack).length,
    clicks: all.reduce((sum, { clicks = 0 }) => sum + clicks, 0),
    slowest: { ...slowest, seconds: toSeconds(slowest.seconds * 1_000), told: plans[slowest.run - 1]?.told },
  }
}
