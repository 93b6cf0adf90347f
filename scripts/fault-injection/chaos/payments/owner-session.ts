import { setTimeout as sleep } from 'node:timers/promises'
import { startOwnerSession } from '../../../../src/accounts/sign-in/sessions.ts'
import { type Database, inTransaction } from '../../../../src/platform/database/database.ts'
import { ownerWith } from '../../../../tooling/clients/owner.ts'
import { patienceMs, waitFor } from '../../../../tooling/services/state.ts'

export type Person = Awaited<ReturnType<typeof signIn>>

/** The owner of an account in a browser, who retries after every failure. */
export async function signIn(db: Database, accountPageUrl: string, accountId: string) {
  const session = { accountId, browser: 'Firefox on Linux', at: new Date() }
  const owner = ownerWith({ accountPageUrl }, await inTransaction(db, (tx) => startOwnerSession(tx, session)))
  const send = (path: string, fields: Record<string, string> = {}) => untilAnswered(() => owner.post(path, fields))
  const titleOf = async (path: string) => {
    const answer = await owner.get(path)
    const [, title] = /<title>([^<]*) · Broadside<\/title>/.exec(await answer.text()) ?? []
    if (answer.status !== 200 || title === undefined) throw new Error(`${path} responded with ${answer.status}`)
    return title
  }
  return {
    accountId,
    /** Submits a form, with retries until it gets a response. */
    send,
    /** Submits a form that leads to a page of the provider. */
    sendToProvider: async (path: string, fields: Record<string, string> = {}) => {
      const { location, times } = await send(path, fields)
      const [, session] = /\/c\/pay\/(\w+)$/.exec(location) ?? []
      if (!session) throw new Error(`the owner was redirected to ${location}`)
      return { session, times }
    },
    /** Reloads a page until its title matches, and returns the title. */
    untilPageSays: async (path: string, words: RegExp): Promise<string> => {
      let title = ''
      const says = async () => {
        await sleep(200)
        title = await titleOf(path)
        return words.test(title)
      }
      await waitFor(says, `${path} to show ${words}`)
      return title
    },
  }
}

async function untilAnswered(send: () => Promise<Response>): Promise<{ location: string; times: number }> {
  const until = performance.now() + patienceMs
  for (let times = 1; performance.now() < until; times++, await sleep(100)) {
    const answer = await send().catch(() => null)
    await answer?.body?.cancel()
    // 409: a dispute has changed the refundable balance meanwhile.
    if (answer?.status === 303 || answer?.status === 409)
      return { location: answer.headers.get('location') ?? '', times }
    if (answer && answer.status < 500) throw new Error(`the owner page responded with ${answer.status}`)
  }
  throw new Error('the owner page did not respond')
}
