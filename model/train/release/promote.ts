import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from '../../../src/bin/command.ts'
import { readOptions, text, textOr } from '../../../tooling/script-options.ts'
import { repoDir } from '../../../tooling/services/state.ts'
import { readSet } from '../../eval/data/read-set.ts'
import { observePosts, openServedModel } from '../../eval/models/open-model.ts'
import { readWeights } from '../../server/local/scoring/weights.ts'
import { type ComparedFigure, compareModels } from './compare-models.ts'
import { installThresholds, installWeights, liveThresholds, readThresholds, thresholdsOf } from './install-model.ts'

/**
 * Makes a candidate and its thresholds live, unless it is worse on the sealed posts. Each model is measured with its own
 * thresholds.
 */
export async function promoteModel(args: string[]): Promise<void> {
  const values = readOptions(args, {
    candidate: text('DIR'),
    live: textOr(join(repoDir, 'model/weights/local')),
    set: textOr(join(repoDir, 'model/data')),
  })
  if (!values.candidate) throw new UsageError('Pass the candidate folder with --candidate.')
  const [candidate, live] = [resolve(values.candidate), resolve(values.live)]
  const [{ version: to }, { version: from }] = [await readWeights(candidate), await readWeights(live)]
  if (to === from) return console.log(`${to} is already live.`)
  const ofLive = readThresholds(liveThresholds)
  const thresholds = { live: ofLive, candidate: thresholdsOf(candidate, to, ofLive) }
  const { posts, hash } = readSet(values.set)
  const sealed = posts.filter((post) => post.sealed)
  const observe = async (directory: string) => {
    await using model = await openServedModel(directory)
    return await observePosts(sealed, { model, label: model.version })
  }
  const [before, after] = [await observe(live), await observe(candidate)]
  const compared = compareModels(before, after, thresholds)
  for (const figure of compared) console.log(lineOf(figure))
  const worse = compared.filter(({ isWorse }) => isWorse).map(({ name }) => name)
  if (worse.length > 0) throw new Error(`${to} was not promoted. It is worse than ${from}: ${worse.join('; ')}.`)
  const promotedAt = new Date().toISOString()
  installWeights(candidate, live)
  const chosen = installThresholds(liveThresholds, thresholds.candidate, promotedAt.slice(0, 10))
  const figures = compared.map(({ isWorse: _, ...figure }) => figure)
  const about = { set: hash, posts: sealed.length, figures }
  keepHistory(live, { promoted_at: promotedAt, from, to, thresholds: chosen, ...about })
  console.log(
    `${to} is live with thresholds ${chosen} and replaces ${from}. Restart the model and the workers, and update the ` +
      'scoreboard: npm run eval -- all --write',
  )
}

function lineOf({ name, live, candidate, low, high, isWorse }: ComparedFigure): string {
  const [was, is] = [live.toFixed(4), candidate.toFixed(4)]
  return `${isWorse ? '✗' : '✓'} ${name}: ${was} → ${is} (difference ${low.toFixed(4)} to ${high.toFixed(4)})`
}

/** A log of which model went live when, and how it compared with the previous one; newest last. */
function keepHistory(live: string, entry: object): void {
  const path = join(live, 'history.json')
  const before: object[] = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
  writeFileSync(path, `${JSON.stringify([...before, entry], null, 2)}\n`)
}
