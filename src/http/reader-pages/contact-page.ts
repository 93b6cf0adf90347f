import { isToken } from '../../accounts/sign-in/tokens.ts'
import { Problem } from '../../contract/problems/problem.ts'
import type { Kind } from '../../kinds/index.ts'
import { confirmReaderMessage, readReaderMessage, storeReaderMessage } from '../../relay/reader-messages.ts'
import { checkInboxPage, confirmPage, contactForm, contactNote, sentPage } from './contact-form.ts'
import { errorsIn, nothingFilled } from './form-parts.ts'
import { readPostOf } from './read-post.ts'
import type { ReaderAnswer, ReaderRequest, ReaderRoute } from './route.ts'

const acceptsRelay = (kind: Kind) => kind.acceptsRelay === true

type Post = Awaited<ReturnType<typeof readPostOf>>

/** Messages to sellers by people without an account: they confirm their email address first. */
export const contactRoute: ReaderRoute = {
  path: '/p/:id/contact',
  id: 'contactPage',
  isOn: acceptsRelay,
  show: async (request) => {
    const post = await readPostOf(request)
    if (isOver(request, post)) return { status: 409, page: contactNote(request.site, post, overNote) }
    return { status: 200, page: contactForm(request.site, post, { filled: nothingFilled }) }
  },
  submit: async (request) => {
    const { call, site, fields, sizes } = request
    const post = await readPostOf(request)
    const { name, email, message } = fields
    try {
      const given = { name: name?.trim(), email: email?.trim(), message }
      await storeReaderMessage(call, site.kind, { postId: post.id, fields: given, sizes })
      return { status: 202, page: checkInboxPage(site, post, email ?? '') }
    } catch (error) {
      return refusedForm(request, post, error)
    }
  },
}

const isOver = ({ call }: ReaderRequest, { author_id, expires_at }: Post) =>
  author_id === null || (expires_at !== undefined && new Date(expires_at) <= call.clock.now())

const overNote = { title: 'Nobody can answer this ad any more', text: 'It has expired, or its author has left.' }

/** Shows the form again with the submitted values. Other problems have pages of their own. */
function refusedForm({ site, fields }: ReaderRequest, post: Post, error: unknown): ReaderAnswer {
  if (!(error instanceof Problem) || !shownInForm.has(error.code)) throw error
  const errors = error.code === 'prefilter_refused' ? refusedText(error) : errorsIn(error, fieldWords)
  const text = errors.size > 0 ? 'Correct the marked fields.' : reasonIn(error)
  const filled = { values: fields, errors }
  const page = contactForm(site, post, { filled, note: { title: 'Your message was not sent.', text } })
  return { status: error.status, problem: error, page }
}

const shownInForm: ReadonlySet<string> = new Set([
  'validation_failed',
  'prefilter_refused',
  'rate_limited',
  'invalid_state',
])

const fieldWords = {
  name: { subject: 'Your name' },
  email: { subject: 'Your email address' },
  message: { subject: 'Your message' },
}

/** The prefilter names the field at the beginning of its reason, and speaks of posts. */
function refusedText({ message }: Problem): ReadonlyMap<string, string> {
  const name = message.startsWith('`name`') ? 'name' : 'message'
  const reason = message.replace(/^`\w+`/, fieldWords[name].subject).replace(' and submit the post again', '')
  return new Map([[name, reason]])
}

const reasonIn = ({ code, message }: Problem) =>
  code === 'rate_limited' ? `${message} The count resets at 00:00 UTC.` : message

/** What the link in the email opens. Mail scanners follow links, so only the button sends the message. */
export const confirmRoute: ReaderRoute = {
  path: '/p/:id/contact/:token',
  id: 'confirmContactPage',
  isOn: acceptsRelay,
  show: async (request) => {
    const post = await readPostOf(request)
    const written = await readReaderMessage(request.call, linkOf(request))
    return written
      ? { status: 200, page: confirmPage(request.site, post, { ...written, ...linkOf(request) }) }
      : usedUp(request, post)
  },
  submit: async (request) => {
    const post = await readPostOf(request)
    try {
      const isSent = await confirmReaderMessage(request.call, request.site.kind, linkOf(request))
      return isSent ? { status: 202, page: sentPage(request.site, post) } : usedUp(request, post)
    } catch (error) {
      if (!(error instanceof Problem) || !shownInForm.has(error.code)) throw error
      const note = { title: 'Your message was not sent', text: reasonIn(error) }
      return { status: error.status, problem: error, page: contactNote(request.site, post, note) }
    }
  },
}

/** A text that is not a token has no message. */
const linkOf = ({ params: { id, token = '' } }: ReaderRequest) => ({ postId: id, token: isToken(token) ? token : '' })

const usedUp = ({ site }: ReaderRequest, post: Post): ReaderAnswer => ({
  status: 410,
  page: contactNote(site, post, usedUpNote),
})

const usedUpNote = {
  title: 'This link no longer works',
  text: 'It was used already, or it has expired. If your message was not sent, write it again.',
}
