import { fixtureFacts, fixtureLog, forgedCases, genuineCases, replacedEntry } from './fixture-cases.ts'
import { hostileFolder } from './hostile-input.ts'
import { hostileInputs } from './hostile-inputs.ts'
import type { TestLog } from './test-log.ts'
import { logUrl, site } from './test-posts.ts'

/** The folder with genuine and forged posts, from the root of the repository. */
export const fixtureFolder = 'test/fixtures/verification'

/** Every file of the folder, by its path. */
export function fixtureFiles(): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const add = (path: string, content: string | Buffer) => files.set(path, Buffer.from(content))
  const log = fixtureLog()
  const genuine = genuineCases(log)
  const forged = forgedCases(log)
  add('keys.json', json(fixtureFacts.keys))
  for (const [folder, each] of [
    ['log', log],
    ['forked-log', fixtureLog({ changed: replacedEntry })],
  ] as [string, TestLog][])
    for (const path of each.paths()) add(`${folder}/${path}`, each.file(path) ?? '')
  const cases = [...genuine, ...forged].map(({ name, about, post, proof, lastVisit, log = 'log', fails }) => {
    const folder = `${fails ? 'forged' : 'genuine'}/${name}`
    add(`${folder}/post.json`, post)
    add(`${folder}/post.tlog-proof`, proof)
    if (lastVisit) add(`${folder}/last-visit`, lastVisit)
    const more = { last_visit: lastVisit ? 'last-visit' : null, log }
    return {
      folder,
      about,
      ...more,
      is_verified: !fails,
      first_failed: fails?.check ?? null,
      code: fails?.code ?? null,
    }
  })
  add('cases.json', json({ verified_at: fixtureFacts.verifiedAt, site, log_url: logUrl, cases }))
  // The keys are on one line, so that the changes can name a part of them.
  add('hostile.json', json({ folder: hostileFolder, keys: JSON.stringify(fixtureFacts.keys), inputs: hostileInputs }))
  return files
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`
