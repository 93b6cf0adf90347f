import assert from 'node:assert/strict'
import { kinds } from '../../../src/kinds/index.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { type PostSeed, seedPost } from '../posts/create-post.ts'

export type Sent = { at?: string; key?: string }
type Case = { number: number; outcome: string | null; reports: number }

export type ReportFixture = ReturnType<typeof openReportFixture>

/** Common steps of report tests: create posts, report them, read their cases. */
export function openReportFixture(service: Service, accountId: string) {
  const send = (body: object, { at = service.baseUrl, key }: Sent = {}) =>
    fetch(`${at}/v1/reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ category: 'spam', ...body }),
    })
  return {
    seed: (status: PostSeed['status'] = 'published', kindName = 'message') => {
      const kind = kinds.find(({ name }) => name === kindName)
      assert(kind)
      return seedPost(service, kind, { accountId, status })
    },
    send,
    /** Sends a report that must be accepted, and returns its id. */
    accepted: async (body: object, sent?: Sent): Promise<string> => {
      const response = await send(body, sent)
      const text = await response.text()
      assert.equal(response.status, 202, text)
      const { id, ...rest } = JSON.parse(text)
      assert.match(id, /^rep_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      assert.deepEqual(rest, { status: 'received' })
      return id
    },
    casesOf: (postId: string) =>
      service.asOwner<Case>(
        `select number, outcome,
           (select count(*) from reports where reports.post_id = cases.post_id and case_number = number) as reports
         from report_cases cases where post_id = $1 order by number`,
        [postId],
      ),
  }
}
