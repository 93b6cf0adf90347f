/** Where the service is. Every address can be replaced from the environment; the defaults are those of `npm run up`. */
const { env } = process
const url = (name: string, port: number) => (env[name] ?? `http://localhost:${port}`).replace(/\/+$/, '')

export const sites: Record<string, string> = {
  message: url('MESSAGE_URL', 4001),
  story: url('STORY_URL', 4002),
  classified: url('CLASSIFIED_URL', 4003),
  event: url('EVENT_URL', 4004),
}
export const kinds = Object.keys(sites)
export const accountPage = url('ACCOUNT_PAGE_URL', 4000)
export const desk = url('DESK_URL', 4005)
export const inbox = url('MAIL_URL', 4006)
export const payments = url('PAYMENTS_URL', 4007)
export const webhookReceiver = env['WEBHOOK_RECEIVER']?.replace(/\/+$/, '')

/** A production deployment obeys no `verdict-…` words, has no clock to move and no doubles of mail and payments. */
export const isProduction = env['PRODUCTION'] === '1'
/** Production may have an inbox of its own to read. */
export const hasInbox = !isProduction || 'MAIL_URL' in env
/** The operator's command, with the words of the sub-command after it. */
export const operatorCommand = (env['OPERATOR'] ?? 'npm run --silent broadside --').split(' ')

/** The ceiling is 100 requests a second for everybody together; the suite stays well below it. */
export const requestsPerSecond = Number(env['RATE'] ?? 55)
/** How long a decision may take (spec: "running" decides within about a minute). */
export const decisionSeconds = Number(env['DECISION_SECONDS'] ?? 60)
/** How long a published or deleted post may take to show on the static pages. The contract gives no number. */
export const freshnessSeconds = Number(env['FRESHNESS_SECONDS'] ?? 30)

export const startedAt = Date.now()
/** The metrics of every process, and their common log. */
export const metrics = (
  env['METRICS_URLS'] ??
  [4201, 4202, 4210, 4220, 4221, 4240].map((port) => `http://127.0.0.1:${port}/metrics`).join(' ')
).split(' ')
export const logFile = env['LOG_FILE'] ?? `${env['BROADSIDE_STATE_DIR'] ?? '.broadside'}/broadside.log`
