// After everything: what the processes have counted and logged during the run.
import { existsSync, readFileSync } from 'node:fs'
import { equal, hasStatus, match } from '../assert.ts'
import { section, skip } from '../checks.ts'
import { codesSeen, request } from '../http.ts'
import { logFile, metrics, sites, startedAt } from '../targets.ts'

const test = section('end')

for (const url of metrics)
  test(`metrics-${new URL(url).port}: operations: the process at ${url} exports metrics, and no failure that the run did not provoke`, async () => {
    const reply = await request('GET', url)
    hasStatus(reply, 200)
    match(reply.text, /^process_uptime_seconds\{/m, 'metrics')
    const failures = reply.text.split('\n').filter((line) => isFailure.test(line) && !/[} ]0$/.test(line))
    equal(failures.filter((line) => !provoked.some((pattern) => pattern.test(line))).join('\n'), '', 'failures counted')
  })
const isFailure =
  /^\w*(failures|failed|errors|lost|dropped|stopped|overdue)\w*[{ ]|^\w+_total\{[^}]*(result|outcome|status)="[^"]*(fail|error)|^http_server_request_duration_seconds_count\{[^}]*="5\d\d"/
const provoked = [
  // The gateway section floods the service, which sheds load.
  /^http_server_request_duration_seconds_count\{[^}]*="503"/,
  // Endpoints that fail are what the webhook section tries.
  /^webhooks_attempts_total/,
]

/** Warnings that the run provokes. At most five. */
const expectedWarnings = [
  // The gateway section floods the service.
  /requests rejected because of overload/,
]
test('log: operations: no process has logged a warning or an error that the run did not provoke', () => {
  if (!existsSync(logFile)) skip(`LOG_FILE: there is no ${logFile}`)
  const lines = readFileSync(logFile, 'utf8').split('\n').filter(Boolean)
  const strange = lines.filter((line) => {
    if (!line.startsWith('{')) return true
    const { level, time, msg } = JSON.parse(line)
    return level >= 40 && Date.parse(time) >= startedAt && !expectedWarnings.some((pattern) => pattern.test(msg))
  })
  equal(strange.slice(0, 5).join('\n'), '', `${strange.length} lines of ${logFile}`)
})

test('problem-pages-of-codes-seen: decisions 10: every code that this run has met is in the catalog and has its page', async () => {
  const { text } = await request('GET', `${sites['message']}/problems/index.json`)
  for (const code of codesSeen) {
    match(text, new RegExp(`"${code}"`), `catalog, for ${code}`)
    hasStatus(await request('GET', `${sites['message']}/problems/${code}`), 200)
  }
})
