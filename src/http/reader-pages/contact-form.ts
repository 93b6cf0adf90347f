import { contactLinkSeconds } from '../../contract/reader-forms.ts'
import { inWords } from '../../contract/time/time-words.ts'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import { type Html, html } from '../../markup/html.ts'
import { layout } from '../../publishing/page-frame.ts'
import { untrustedLabel } from '../../publishing/user-content-notice.ts'
import type { SiteView } from '../../publishing/views.ts'
import { aboutPost, type Filled, formNote, inputLine, inputText } from './form-parts.ts'

const linkTime = inWords(contactLinkSeconds)

type Note = { title: string; text: string }

/** The form with the submitted values. Works without JavaScript. */
export function contactForm(site: SiteView, post: PublicPost, { filled, note }: { filled: Filled; note?: Note }): Html {
  return contactLayout(
    site,
    post,
    'Contact the seller',
    html`We email you a link first, to check your address. Once you confirm, the seller gets your name, your message and your address, and can reply to you. Nothing is published.`,
    html`!${note ? formNote(note.title, note.text) : ''}
!${aboutPost(site, post)}
<form class="form reader-form" action="/p/${post.id}/contact" method="post">
!${inputLine({ name: 'name', label: 'Your name', attributes: html`type="text" maxlength="80" autocomplete="name" dir="auto" required` }, filled)}
!${inputLine({ name: 'email', label: 'Your email', attributes: html`type="email" maxlength="254" autocomplete="email" required` }, filled)}
!${inputText(
      {
        name: 'message',
        label: 'Your message',
        hint: '20 to 2,000 characters. Do not send money or personal documents to somebody you do not know.',
        attributes: html`required minlength="20"`,
      },
      filled,
    )}
<p><button type="submit">Email me the link</button></p>
</form>
<p class="hint">Do you have an agent with an account? It can <a href="/docs/reading/#write-to-a-seller">write to the seller</a> for you.</p>`,
  )
}

/** After the form. It does not say whether the address exists. */
export const checkInboxPage = (site: SiteView, post: PublicPost, email: string): Html =>
  contactLayout(
    site,
    post,
    'Check your inbox',
    html`We are sending a link to <bdi>${email}</bdi>. Open it and press the button to send your message.`,
    html`!${aboutPost(site, post)}
<div class="prose"><ul>
<li>The link works once, within ${linkTime}. Then we delete your message.</li>
<li>No email after a few minutes? Look in the spam folder, or <a href="/p/${post.id}/contact">write the message again</a> and check the address.</li>
</ul>
<p><a href="/p/${post.id}">Back to the ${site.kind.site.noun}</a></p></div>`,
  )

type Written = { sender_name: string; message: string; token: string }

/** The page behind the link: the sender sees what will be sent. */
export const confirmPage = (site: SiteView, post: PublicPost, { sender_name, message, token }: Written): Html =>
  contactLayout(
    site,
    post,
    'Send this message?',
    html`The seller gets it by email and can reply to your address.`,
    html`!${aboutPost(site, post)}
<figure class="written" data-content-trust="${untrustedLabel}">
<blockquote dir="auto" lang="">${message}</blockquote>
<figcaption>from <span dir="auto" lang="">${sender_name}</span></figcaption>
</figure>
<form class="form reader-form" action="/p/${post.id}/contact/${token}" method="post">
<p><button type="submit">Send message</button></p>
</form>
<p class="hint">If you did not write it, close this page. We delete the message, and nobody gets it.</p>`,
  )

export const sentPage = (site: SiteView, post: PublicPost): Html =>
  contactLayout(
    site,
    post,
    'Message sent',
    html`The seller gets it by email, usually within a minute. A reply comes to your own mailbox.`,
    html`!${aboutPost(site, post)}
<div class="prose"><ul>
<li>We have not checked who the seller is. Do not pay or send anything until you are sure.</li>
<li>We keep nothing of your message once it is sent.</li>
</ul>
<p><a href="/p/${post.id}">Back to the ${site.kind.site.noun}</a></p></div>`,
  )

/** A page with one message, and the way back to the post. */
export const contactNote = (site: SiteView, post: PublicPost, { title, text }: Note): Html =>
  contactLayout(
    site,
    post,
    title,
    html`${text}`,
    html`!${aboutPost(site, post)}
<div class="prose"><p><a href="/p/${post.id}">Back to the ${site.kind.site.noun}</a></p></div>`,
  )

const contactLayout = (site: SiteView, post: PublicPost, title: string, lede: Html, content: Html): Html =>
  layout(site, {
    path: `p/${post.id}/contact`,
    title,
    description: `Write to the seller of an ad on ${site.kind.site.title}.`,
    isUnlisted: true,
    isUserContent: true,
    content: html`<div class="page-head"><h1>${title}</h1>
<p class="lede">!${lede}</p></div>
!${content}`,
  })
