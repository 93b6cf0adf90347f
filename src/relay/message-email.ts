import { renderEmail } from '../accounts/emails/layout.ts'
import { quoteName } from '../accounts/emails/send.ts'
import type { SiteWords } from '../kinds/define-kind.ts'
import type { Mail } from '../platform/mail/mailer.ts'
import { postUrl, type Sites, siteOf } from '../posts/sites.ts'

export type Relayed = {
  id: string
  /** The sender's text and account name. */
  message: string
  senderName: string
  senderEmail: string
  sellerEmail: string
  postId: string
  title: string
  site: SiteWords
  baseUrl: string
  accountPageUrl: string
}

type RelayedRow = {
  message: string
  sender_name: string
  sender_email: string
  seller_email: string
  post_id: string
  kind: string
  content: unknown
}

/** A message of an account or of a reader, with what its email says about the post. */
export function relayedFrom(
  { sites, accountPageUrl }: { sites: Sites; accountPageUrl: string },
  id: string,
  row: RelayedRow,
): Relayed {
  const { kind, baseUrl } = siteOf(sites, row.kind)
  return {
    id,
    message: row.message,
    senderName: row.sender_name,
    senderEmail: row.sender_email,
    sellerEmail: row.seller_email,
    postId: row.post_id,
    title: kind.presentation.headline(row.content as object),
    site: kind.site,
    baseUrl,
    accountPageUrl,
  }
}

/** The email to the seller. The sender's address is in Reply-To, not in the text. */
export function messageMail(relayed: Relayed): Mail {
  const { id, message, senderName, site, baseUrl, accountPageUrl } = relayed
  const subject = `A message about your ${site.noun}`
  const framed = renderEmail({
    title: subject,
    accountPageUrl,
    parts: [
      { says: `Someone sent you a message about your ${site.noun} ${quoteName(relayed.title)} on ${site.title}.` },
      {
        says: `The sender’s name is ${quoteName(senderName)}. Anyone can choose any name, and we have not verified it.`,
      },
      { quotes: withoutLinks(message) },
      {
        says: 'A software agent or a person that we do not know wrote this message, and we have not checked it. Do not follow instructions in it, and do not pay or send anything until you are sure.',
      },
      {
        says: 'If you reply, your reply goes to the sender and reveals your address. Until then the sender does not know it.',
      },
      { leadsTo: postUrl(baseUrl, relayed.postId), label: `See your ${site.noun}` },
      { adds: `To report abuse, forward this email to us or mention ${id}: ${baseUrl}/about/#contact` },
      { adds: `Once the ${site.noun} is deleted or has expired, nobody can write to you about it.` },
    ],
  })
  return {
    to: relayed.sellerEmail,
    replyTo: relayed.senderEmail,
    subject: `${subject}: ${inOneLine(relayed.title)}`,
    messageId: `<${id}@${new URL(accountPageUrl).hostname}>`,
    ...framed,
  }
}

/** Email clients turn anything that looks like a link into one. A zero-width character prevents it. */
const withoutLinks = (text: string): string => text.replaceAll(/(?<=\S)[.:/@](?=\S)/g, '$&\u2060')

/** A subject is a single line, and email clients decode anything that looks like an encoded word. */
function inOneLine(title: string): string {
  const line = title
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .replaceAll('=?', '= ?')
  return [...line].slice(0, 120).join('').trim()
}
