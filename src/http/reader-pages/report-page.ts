import { perform } from '../../calls/perform.ts'
import { sizeOf } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { reportOperation } from '../../reports/operations.ts'
import { errorsIn, nothingFilled } from './form-parts.ts'
import { readPostOf } from './read-post.ts'
import { reportForm, reportReceipt } from './report-form.ts'
import type { ReaderAnswer, ReaderRequest, ReaderRoute } from './route.ts'

/** Reports for people: the API operation behind a form, without a key, counted by network address. */
export const reportRoute: ReaderRoute = {
  path: '/p/:id/report',
  id: 'reportPage',
  isOn: () => true,
  show: async (request) => {
    const post = await readPostOf(request)
    return { status: 200, page: reportForm(request.site, post, { filled: nothingFilled }) }
  },
  submit: async (request) => {
    const post = await readPostOf(request)
    const { category, detail, contact_email } = request.fields
    const body = { post_id: post.id, category, detail, contact_email: contact_email?.trim() }
    try {
      const raw = { params: {}, query: {}, body }
      const performed = await perform(reportOperation, request.call, raw, request.sizes)
      const { id } = performed.body as { id: string }
      return { status: performed.status, page: reportReceipt(request.site, post, { id, ...request.fields }) }
    } catch (error) {
      return refused(request, post, error)
    }
  },
}

type Post = Awaited<ReturnType<typeof readPostOf>>

/** Shows the form again with the submitted values. Other problems have pages of their own. */
function refused({ site, fields, sizes }: ReaderRequest, post: Post, error: unknown): ReaderAnswer {
  if (!(error instanceof Problem) || !['validation_failed', 'rate_limited'].includes(error.code)) throw error
  const filled = { values: fields, errors: errorsIn(error, fieldWords) }
  const max = sizeOf(sizes, 'reports-per-address')
  const note = error.code === 'rate_limited' ? limitNote(max) : invalidNote
  return { status: error.status, problem: error, page: reportForm(site, post, { filled, note }) }
}

const fieldWords = {
  category: { subject: 'The reason', inWords: 'Choose a reason.' },
  detail: { subject: 'Your explanation' },
  contact_email: {
    subject: 'The email address',
    inWords: 'Enter a valid email address, such as name@example.com, or leave this field empty.',
  },
}

const invalidNote = { title: 'Your report was not sent.', text: 'Correct the marked fields.' }

const limitNote = (max: number) => ({
  title: 'Daily limit reached.',
  text: `Your network address has sent ${max} reports today. The count resets at 00:00 UTC. This report was not sent.`,
})
