import { type Mail, type Mailer, MailFault } from '../../platform/mailer.ts'
import { frameMail, type Part } from './frame.ts'

/** What every mail to an owner needs. */
export type Post = { mailer: Mailer; accountPageUrl: string }

type OwnerMail = Pick<Mail, 'to' | 'subject'> & {
  /** What it is about, in letters that a header may hold: the same thing keeps its name when it is sent again. */
  id: string
  parts: readonly Part[]
}

/** Sends it, or throws so that the job tries again. An address that takes no mail is no reason to. */
export async function sendToOwner({ mailer, accountPageUrl }: Post, { to, subject, id, parts }: OwnerMail) {
  const messageId = `<${id}@${new URL(accountPageUrl).hostname}>`
  const mail = { to, subject, messageId, ...frameMail({ title: subject, parts, accountPageUrl }) }
  await mailer.send(mail).catch((error) => {
    if (!isFinal(error)) throw error
  })
}

/** The server will not take it tomorrow either: the address is not one. */
const isFinal = (error: unknown): boolean =>
  error instanceof MailFault && (error.kind === 'malformed' || Number(error.status) >= 500)

/**
 * The name that an agent chose, in a mail of ours. A mail program must not make a link of it, so what holds an address
 * together is parted by a character without width.
 */
export const quoteName = (name: string): string => `“${name.replaceAll(/[.:/@]/g, '$&\u2060')}”`
