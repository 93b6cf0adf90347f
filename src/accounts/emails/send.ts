import { type Mail, MailError, type Mailer } from '../../platform/mail/mailer.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { type EmailPart, renderEmail } from './layout.ts'

/** What every mail to an owner needs. */
export type EmailSender = { mailer: Mailer; logger: Logger; accountPageUrl: string }

type OwnerMail = Pick<Mail, 'to' | 'subject' | 'unsubscribesAt'> & {
  /** What it is about, in letters that a header may hold: the same thing keeps its name when it is sent again. */
  id: string
  parts: readonly EmailPart[]
}

export async function sendToOwner(post: EmailSender, { id, parts, ...mail }: OwnerMail): Promise<void> {
  const { accountPageUrl } = post
  const messageId = `<${id}@${new URL(accountPageUrl).hostname}>`
  await sendMail(post, { ...mail, messageId, ...renderEmail({ title: mail.subject, parts, accountPageUrl }) })
}

/**
 * Sends it, and says whether the server has taken it; throws where another try may help. One address that takes no mail
 * is nobody's concern, but a server that refuses everybody must be seen: so each refusal is in the log.
 */
export async function sendMail(
  { mailer, logger }: Pick<EmailSender, 'mailer' | 'logger'>,
  mail: Mail,
): Promise<boolean> {
  try {
    await mailer.send(mail)
    return true
  } catch (error) {
    if (!(error instanceof MailError && error.isFinal)) throw error
    const { kind, status } = error
    logger.warn({ mail: mail.messageId, kind, status }, 'a mail was refused for good')
    return false
  }
}

/**
 * The name that an agent chose, in a mail of ours. A mail program must not make a link of it, so what holds an address
 * together is parted by a character without width.
 */
export const quoteName = (name: string): string => `“${name.replaceAll(/[.:/@]/g, '$&\u2060')}”`

export type EmailFacts = { accountId: string; subject: string; name: string; accountPageUrl: string }

/** `to` only where it is not the account's address; `unsubscribesAt` where such mails can be turned off. */
export type OwnerEmail = { title: string; parts: EmailPart[]; to?: string; unsubscribesAt?: string }
