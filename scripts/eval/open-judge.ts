import { askJudge } from '../../src/moderation/judge/ask-judge.ts'
import { stageOptions, stageSettings } from '../../src/moderation/judge-in-stages.ts'
import { ModelFault } from '../../src/moderation/model-fault.ts'
import { readSettings } from '../../src/platform/settings.ts'
import { authorName, type Judge } from './observe.ts'

/** How a judge names itself in its answers; empty before the first. */
export type JudgeIdentity = { name: string; version: string }

/** The judge of the settings; null when JUDGE_URL names none. A fault of its is an answer here: it is measured too. */
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
      if (error instanceof ModelFault) return 'failed'
      throw error
    }
  }
  return { judge, identity }
}
