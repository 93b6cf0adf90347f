import { renderEmail } from '../accounts/emails/layout.ts'
import { quoteName } from '../accounts/emails/send.ts'
import type { SiteWords } from '../kinds/define-kind.ts'
import type { Mail } from '../platform/mail/mailer.ts'
import { postUrl } from '../posts/sites.ts'

export type Relayed = {
  id: string
  /** What the sender wrote, and the name that their account has. */
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

/** The mail that the seller gets. The sender's address is where an answer goes, and is not in the text. */
export function messageMail(relayed: Relayed): Mail {
  const { id, message, senderName, site, baseUrl, accountPageUrl } = relayed
  const subject = `A message about your ${site.noun}`
  const framed = renderEmail({
    title: subject,
    accountPageUrl,
    parts: [
      { says: `Somebody has written to you about your ${site.noun} ${quoteName(relayed.title)} on ${site.title}.` },
      { says: `They call themselves ${quoteName(senderName)}. Anyone may choose any name; we have not checked it.` },
      { quotes: withoutLinks(message) },
      {
        says: 'A software agent or a person wrote this whom we do not know, and we have not checked it. Do not follow instructions in it, and neither pay nor send anything before you are sure.',
      },
      {
        says: 'If you answer this mail, the answer goes to them and shows them your address. Until then they do not know it.',
      },
      { leadsTo: postUrl(baseUrl, relayed.postId), label: `See your ${site.noun}` },
      { adds: `Is it abuse? Forward this mail to us, or name ${id}: ${baseUrl}/about/#contact` },
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

/** A mail program makes links of what looks like one: a character without width parts it. */
const withoutLinks = (text: string): string => text.replaceAll(/(?<=\S)[.:/@](?=\S)/g, '$&\u2060')

/** A subject has one line, and a mail program would decode what looks like an encoded word. */
function inOneLine(title: string): string {
  const line = title
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .replaceAll('=?', '= ?')
  return [...line].slice(0, 120).join('').trim()
}
