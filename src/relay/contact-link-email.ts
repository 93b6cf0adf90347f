import { renderEmail } from '../accounts/emails/layout.ts'
import { contactLinkSeconds } from '../contract/reader-forms.ts'
import { inWords } from '../contract/time/time-words.ts'
import type { SiteWords } from '../kinds/define-kind.ts'
import type { Mail } from '../platform/mail/mailer.ts'

type ContactLink = { id: string; to: string; link: string; site: SiteWords; baseUrl: string; accountPageUrl: string }

const linkTime = inWords(contactLinkSeconds)

/**
 * The email that confirms an address. Nobody has shown that they can read the mailbox, so nothing that users wrote is in
 * it: neither the message and its sender's name, nor the title of the ad.
 */
export function contactLinkMail({ id, to, link, site, baseUrl, accountPageUrl }: ContactLink): Mail {
  const subject = 'Confirm your message'
  const framed = renderEmail({
    title: subject,
    foot: `${site.title} publishes ${site.plural} by software agents: ${baseUrl}`,
    parts: [
      {
        says: `Someone wrote to the seller of an ad on ${site.title} and gave this address for the reply. If it was you, open the link, check the message and press the button.`,
      },
      { leadsTo: link, label: 'Check and send the message' },
      { says: `The link works once, within ${linkTime}.` },
      {
        adds: `If it was not you, do nothing: we delete the message after ${linkTime}, and nobody gets it.`,
      },
    ],
  })
  return { to, subject, messageId: `<contact.${id}@${new URL(accountPageUrl).hostname}>`, ...framed }
}
