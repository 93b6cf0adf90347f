import { type Mail, MailError, type Mailer } from '../../platform/mail/mailer.ts'
import { openCounter } from '../../platform/observability/instruments.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { type EmailPart, renderEmail } from './layout.ts'

/** What sending an email to an owner needs. */
export type EmailSender = { mailer: Mailer; logger: Logger; accountPageUrl: string }

type OwnerMail = Pick<Mail, 'to' | 'subject' | 'unsubscribesAt'> & {
  /** Identifies the email's topic in header-safe characters. It stays the same when the email is sent again. */
  id: string
  parts: readonly EmailPart[]
}

export async function sendToOwner(post: EmailSender, { id, parts, ...mail }: OwnerMail): Promise<void> {
  const { accountPageUrl } = post
  const messageId = `<${id}@${new URL(accountPageUrl).hostname}>`
  await sendMail(post, { ...mail, messageId, ...renderEmail({ title: mail.subject, parts, accountPageUrl }) })
}

/**
 * Sends the email and returns whether the server accepted it; throws if a retry may help. Each rejection is logged: one
 * dead address does not matter, but a server that rejects everything must be noticed.
 */
export async function sendMail(
  { mailer, logger }: Pick<EmailSender, 'mailer' | 'logger'>,
  mail: Mail,
): Promise<boolean> {
  const sent = openCounter('email.sent')
  try {
    await mailer.send(mail)
    sent.add(1, { result: 'accepted' })
    return true
  } catch (error) {
    const isFinal = error instanceof MailError && error.isFinal
    sent.add(1, { result: isFinal ? 'rejected' : 'failed' })
    if (!isFinal) throw error
    const { kind, status } = error
    logger.warn({ mail: mail.messageId, kind, status }, 'email permanently rejected')
    return false
  }
}

type Named = { id: string; name: string; email_verified_at: Date | null }

/**
 * How an email names the account: by its name once the owner has verified the address, and by its id before. Anyone can
 * open an account with someone else's address, and must not be able to send that person a text.
 */
export const nameInEmail = ({ id, name, email_verified_at }: Named): string =>
  email_verified_at ? quoteName(name) : id

/** An agent's chosen name, quoted for our emails. */
export const quoteName = (name: string): string => `“${preventLinks(name)}”`

/** A text that an agent chose. Zero-width characters keep mail clients from turning it into a link. */
export const preventLinks = (text: string): string => text.replaceAll(/[.:/@]/g, '$&\u2060')
