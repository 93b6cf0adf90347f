import { askJudge } from '../../../src/moderation/judge/ask-judge.ts'
import { ModelError } from '../../../src/moderation/model-client/model-service.ts'
import { stageOptions, stageSettings } from '../../../src/moderation/pipeline/judge-in-stages.ts'
import { readSettings } from '../../../src/platform/settings/settings.ts'
import { authorName, type Judge } from './open-model.ts'

/** The judge's name in its responses; empty before the first one. */
export type JudgeIdentity = { name: string; version: string }

/**
 * The configured judge; null without JUDGE_URL. A failure counts as a response here, because failures are measured too.
 */
export function openJudge(environment: NodeJS.ProcessEnv): { judge: Judge; identity: JudgeIdentity } | null {
  const { judge: options } = stageOptions(readSettings(environment, stageSettings))
  if (!options) return null
  const identity: JudgeIdentity = { name: options.name, version: '' }
  const judge: Judge = async ({ kind, parts }) => {
    try {
      const { model, version, answer } = await askJudge(options, { kind, authorName, texts: parts })
      Object.assign(identity, { name: model, version })
      return answer
    } catch (error) {
      if (error instanceof ModelError) return 'failed'
      throw error
    }
  }
  return { judge, identity }
}
