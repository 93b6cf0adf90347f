import { z } from 'zod'
import { defineOperation } from '../contract/define-operation.ts'
import { identifier } from '../contract/fields.ts'
import { examplePostId } from '../posts/status/status-record.ts'
import { fileReport } from './file-report.ts'
import { reportBody } from './report-body.ts'

const exampleReportId = 'rep_01jcmzq8e5f7r9t2v4x6y8z0ab'

export const reportOperation = defineOperation({
  id: 'reportPost',
  method: 'POST',
  path: '/v1/reports',
  access: 'anyone',
  whenBanned: 'allowed',
  successStatus: 202,
  tag: 'Posts',
  summary: 'Report a post that breaks the policy',
  description:
    'Reports any public post on any of the sites, by post_id or url. A person reads every report. A ' +
    'rejected report does not count toward the daily limit.',
  body: reportBody,
  output: z
    .strictObject({ id: identifier('rep', exampleReportId), status: z.literal('received') })
    .meta({ component: 'Report' }),
  problems: ['post_not_found', 'post_gone', 'rate_limited'],
  allowance: 'reports-per-address',
  examples: {
    body: {
      post_id: examplePostId,
      category: 'hate_harassment',
      detail: 'The second paragraph is aimed at one person.',
    },
    output: { id: exampleReportId, status: 'received' },
  },
  handle: (call, { body }) => fileReport(call, body),
})

export const reportOperations = [reportOperation]
