import { utcDay } from '../../contract/time/utc-day.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { decide } from '../decisions/decision-table.ts'
import { ModelError } from '../model-client/model-service.ts'
import { judgeInStages, type StageOptions } from '../pipeline/judge-in-stages.ts'
import { type Canary, canaries } from './canary-posts.ts'
import { alarmOf, readCanaryRuns } from './canary-runs.ts'

type Running = { db: Database; logger: Logger; model: StageOptions; at: Date; texts?: readonly Canary[] }

export type CanaryRun = {
  judged: number
  /** Canaries for which a model gave no valid response. */
  notJudged: number
  published: string[]
}

/**
 * Sends every canary through the same stages as posts and records the outcome. Nothing is published. Logs an error if a
 * canary would have been published, or if some were not judged on two consecutive days.
 */
export async function runCanaries({ db, logger, model, at, texts = canaries }: Running): Promise<CanaryRun> {
  const outcomes = new Map<string, string>()
  for (const canary of texts) outcomes.set(canary.id, await outcomeOf(model, canary))
  const those = (wanted: string) => [...outcomes].filter(([, outcome]) => outcome === wanted).map(([id]) => id)
  const [published, notJudged] = [those('publish'), those('not_judged').length]
  const judged = texts.length - notJudged
  await db
    .insertInto('canary_runs')
    .values({
      ...{ day: utcDay(at), judged, not_judged: notJudged, published: published.length, published_ids: published, at },
    })
    .execute()
  const alarm = alarmOf(await readCanaryRuns(db), at)
  const run = { judged, not_judged: notJudged, published }
  if (alarm) logger.error({ ...run, alarm }, 'canary alarm: see docs/runbooks/moderation.md')
  else logger.info(run, 'canary run finished')
  return { judged, notJudged, published }
}

async function outcomeOf(model: StageOptions, canary: Canary): Promise<string> {
  try {
    return decide(await judgeInStages(model, postOf(canary))).outcome
  } catch (error) {
    if (error instanceof ModelError) return 'not_judged'
    throw error
  }
}

/** The canary as a post of its kind, in the form that the stages receive. */
function postOf({ kind, title, text }: Canary) {
  const body = { field: kind === 'message' ? 'text' : 'body', text }
  const texts = title === undefined ? [body] : [{ field: 'title', text: title }, body]
  return { kind, authorName: 'Notices', texts }
}
