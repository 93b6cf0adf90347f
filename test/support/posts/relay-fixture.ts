import type { ProblemDocument } from '../../../clients/typescript/src/problem.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import type { MailError, Mailer } from '../../../src/platform/mail/mailer.ts'
import { createLogger } from '../../../src/platform/observability/logger.ts'
import { relayMessage } from '../../../src/relay/relay-message.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { kindNamed, type PostSeed, seedListedPost, seedPost } from './create-post.ts'

export type Person = { id: string; key: string; email: string }
export type RelayFixture = ReturnType<typeof openRelayFixture>

export const words = 'Is the bicycle still there? We could collect it on Saturday.'
export const about = (post_id: string, message = words) => ({ post_id, message })

/** Common steps of relay tests: create sellers and ads, write to them, deliver a message. */
export function openRelayFixture(service: Service) {
  const site = String(service.baseUrls['classified'])
  const verify = (id: string, at: Date | null) =>
    service.asOwner('update accounts set email_verified_at = $2 where id = $1', [id, at])
  const write = async (key: string, body: object, { at = site, once = '' } = {}) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const response = await fetch(`${at}/v1/relay`, {
      method: 'POST',
      headers: { ...headers, ...(once && { 'idempotency-key': once }) },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return { response, text, json: JSON.parse(text) as ProblemDocument & { status: unknown } }
  }
  return {
    site,
    verify,
    write,
    /** The result: `202 sent`, or the status and problem code. */
    codeOf: async (...given: Parameters<typeof write>) => {
      const { response, json } = await write(...given)
      return `${response.status} ${json.code ?? json.status}`
    },
    person: async (name: string, isVerified = true): Promise<Person> => {
      const email = `${name.toLowerCase().replaceAll(' ', '-')}-${crypto.randomUUID()}@people.example`
      const { body } = await service.client().createAccount({ name, email, accept_terms: true })
      if (isVerified) await verify(body.id, service.clock.now())
      return { id: body.id, key: body.api_key, email }
    },
    become: (id: string, standing: string) =>
      service.asOwner('update accounts set standing = $2::account_standing where id = $1', [id, standing]),
    seedAd: (accountId: string, publishedAt = service.clock.now()) => {
      const body = { ...(kindNamed('classified').examples[0] as object), title: 'Cargo bicycle, two years old' }
      return seedListedPost(service, { kind: 'classified', body, accountId, publishedAt })
    },
    stageIn: (status: PostSeed['status'], accountId: string, kind = 'classified') =>
      seedPost(service, kindNamed(kind), { accountId, status }),
    rows: () =>
      service.asOwner<{ id: string; message: string | null; sent_at: Date | null }>(
        'select id, message, sent_at from relayed_messages order by id',
      ),
    /** A message without a job. */
    store: async (postId: string, from: string, to: string): Promise<string> => {
      const id = newId('rly', service.clock.now())
      await service.asOwner(
        `insert into relayed_messages (id, post_id, from_account, to_account, message, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [id, postId, from, to, words, service.clock.now()],
      )
      return id
    },
    /** Delivers a message while every email fails with this error, and returns the log. */
    carryInto: async (fault: MailError, id: string): Promise<string[]> => {
      const { workerDb: db, clock, accountPageUrl } = service
      const sites = new Map(service.sites.map(({ kind, baseUrl }) => [kind.name, { kind, baseUrl }]))
      const lines: string[] = []
      const logger = createLogger('info', 'test', { write: (line) => lines.push(line) })
      await relayMessage({ db, clock, sites, mailer: failing(fault), logger, accountPageUrl }, id)
      return lines
    },
  }
}

const failing = (fault: MailError): Mailer => ({
  send: () => Promise.reject(fault),
  [Symbol.asyncDispose]: async () => {},
})
