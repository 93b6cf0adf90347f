import { listKeysToConfirm } from '../../accounts/keys/confirm-keys.ts'
import { isReservedName } from '../../accounts/reserved-names.ts'
import type { Scope } from '../../contract/scopes.ts'
import { kinds } from '../../kinds/index.ts'
import { readBalance } from '../../ledger/balance.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { isDocumentUrl } from '../../oauth/clients/metadata-documents.ts'
import { isLoopbackRedirect, redirectHost } from '../../oauth/clients/redirect-uris.ts'
import type { OpenRequest } from '../../oauth/requests.ts'
import type { Database } from '../../platform/database/database.ts'
import { csrfField, textField } from '../../web-pages/form.ts'
import { siteLinks } from '../about.ts'
import { capValue } from '../keys/key-form.ts'
import { ownerLayout } from '../layout.ts'
import { topUpSection } from '../money/top-up.ts'
import type { OwnerRequest, Shown } from '../route.ts'

type State = { values?: Record<string, string>; faults?: Record<string, string>; hindrance?: string; status?: number }

/** Asks the owner which app may do what, and how much it may spend. */
export async function consentPage(
  asked: OwnerRequest<'session', unknown>,
  request: OpenRequest,
  { values: sent, faults = {}, hindrance, status = 200 }: State = {},
): Promise<Shown> {
  const { db, session } = asked
  const known = await findConnectedApp(db, { accountId: session.accountId, request })
  const values = sent ?? (known ? choicesOf(known) : {})
  const [{ name }, balance] = await Promise.all([
    db.selectFrom('accounts').select('name').where('id', '=', session.accountId).executeTakeFirstOrThrow(),
    readBalance(db, session.accountId),
  ])
  const toConfirm = await listKeysToConfirm(db, session.accountId)
  const isEmpty = balance.prepaidMicros < Math.min(...kinds.map(({ priceMicros }) => priceMicros))
  const title = `Connect “${request.client_name}”?`
  return {
    status,
    page: ownerLayout({
      title: 'Connect an app',
      content: html`<h1 dir="auto">${title}</h1>
!${hindrance ? html`<div class="notice bad" role="alert"><p>${hindrance} <a href="/account/keys">Keys and apps</a></p></div>` : ''}
!${isReservedName(request.client_name) ? notOurs : ''}!${known ? html`<div class="notice"><p>This app is already connected. What you choose here applies wherever you use it.</p></div>` : ''}
!${warning(request)}
<dl class="facts">
<div><dt>App</dt><dd>“<bdi>${request.client_name}</bdi>”, as it calls itself</dd></div>
<div><dt>From</dt><dd>!${origin(request)}</dd></div>
<div><dt>Your account</dt><dd><bdi>${name}</bdi>, balance ${amount(balance.prepaidMicros)} · <a href="/connect/${request.id}?account=another">Use another account</a></dd></div>
<div><dt>Sites</dt><dd>!${siteLinks(asked)}</dd></div>
</dl>
<form method="post" action="/connect/${request.id}">!${csrfField(asked.csrf)}
!${postingFields(request.scopes, values['posting'])}
!${otherFields(request.scopes, values)}
!${textField({
        name: 'cap',
        label: 'Daily limit in dollars',
        value: values['cap'] ?? '1.00',
        hint: 'The most that this app can spend per UTC day on posts and searches. Leave it empty to limit the app only by your balance.',
        error: faults['cap'],
        attributes: html`inputmode="decimal" autocomplete="off" maxlength="20"`,
      })}
<p class="small">The app can read your account, its posts and its balance. It never sees your card, and it cannot top up. You can change its access or disconnect it at any time on the “Keys” page.</p>
<div class="buttons"><button class="button" type="submit" name="decision" value="allow">Connect</button>
<button class="button quiet" type="submit" name="decision" value="deny">Cancel</button></div></form>
!${isEmpty ? html`<section class="later"><p class="notice">Your balance is ${amount(balance.prepaidMicros)}. You can connect the app first and top up later, or top up now and return to this page.</p>!${topUpSection(asked, balance, toConfirm)}</section>` : ''}`,
    }),
    ...(request.redirect_uri && { formLeadsElsewhere: true as const }),
  }
}

/** Apps may bear our name, since some add the name of the server to their own. People must not take them for ours. */
const notOurs = html`<div class="notice warn"><strong>This app is not from Broadside</strong>
<p>Broadside makes no apps. Whoever makes this one chose its name.</p></div>`

type Known = { scopes: string[] | null; daily_cap_micros: number | null }

const findConnectedApp = (db: Database, { accountId, request }: { accountId: string; request: OpenRequest }) =>
  db
    .selectFrom('api_keys')
    .select(['scopes', 'daily_cap_micros'])
    .where('account_id', '=', accountId)
    .where('client_id', '=', request.client_id)
    .where('client_host', '=', request.client_host)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

/** What the owner chose last time, as values of the form. */
function choicesOf({ scopes, daily_cap_micros }: Known): Record<string, string> {
  const has = (scope: Scope) => scopes === null || scopes.includes(scope)
  const posting = (['publish', 'publish_with_approval'] as const).find(has) ?? 'read'
  return {
    posting,
    cap: capValue(daily_cap_micros),
    ...(has('webhooks') && { webhooks: 'on' }),
    ...(has('account') && { account: 'on' }),
  }
}

/** Any program can register itself under any name, so its name proves nothing. */
function warning({ client_id, redirect_uri }: OpenRequest): Html {
  if (redirect_uri === null)
    return html`<div class="notice warn"><strong>Continue only if you started this yourself</strong>
<p>If someone sent you this code, they are trying to use your account. Check that the device in front of you shows the code that you entered.</p></div>`
  if (isLoopbackRedirect(redirect_uri))
    return html`<div class="notice warn"><strong>A program on this computer is asking for access</strong>
<p>We cannot check which one. Continue only if you have just started it yourself.</p></div>`
  if (isDocumentUrl(client_id)) return ''
  return html`<div class="notice warn"><strong>This app is not verified</strong>
<p>Anyone can use this name. What you allow here goes to <strong>${redirectHost(redirect_uri)}</strong>: continue only if you trust that site.</p></div>`
}

/** The verified host, and where the browser goes next if that is another one. */
function origin({ client_id, client_host, redirect_uri }: OpenRequest): Html {
  const next = redirect_uri === null ? 'another device' : redirectHost(redirect_uri)
  const isVerified = isDocumentUrl(client_id)
  if (!isVerified) return html`${next} <span class="badge warn">not verified</span>`
  const leads = next === client_host ? '' : html`, sends you on to ${next}`
  return html`${client_host} <span class="badge good">verified</span>!${leads}`
}

type Posting = 'publish_with_approval' | 'publish' | 'read'

/** What the owner can choose for an app that asked for these scopes. The most careful choice comes first. */
export function postingChoices(scopes: readonly Scope[]): Posting[] {
  const mayPost = scopes.includes('publish') || scopes.includes('publish_with_approval')
  return [
    ...(mayPost ? (['publish_with_approval'] as const) : []),
    ...(scopes.includes('publish') ? (['publish'] as const) : []),
    'read',
  ]
}

const labels: Record<Posting, string> = {
  publish_with_approval: 'Ask me before each post: it prepares drafts, which you approve by email or here',
  publish: 'Publish without asking: it posts, edits and deletes within the daily limit',
  read: 'Only read: it cannot post',
}

function postingFields(scopes: readonly Scope[], chosen: string | undefined): Html {
  const choices = postingChoices(scopes)
  const radios = choices.map((value, index) => {
    const isChecked = chosen === undefined ? index === 0 : value === chosen
    return html`<label class="choice"><input type="radio" name="posting" value="${value}"!${isChecked ? html` checked` : ''}> ${labels[value]}</label>`
  })
  return html`<fieldset class="choices"><legend>What may it do?</legend>!${radios.join('\n')}</fieldset>`
}

const others = {
  webhooks: 'Register webhooks, which send what happens to your posts to another server',
  account: 'Change account settings and request the account’s deletion, which you must confirm',
} as const

/** Asked for rarely, so they are off until the owner turns them on. */
function otherFields(scopes: readonly Scope[], values: Record<string, string>): Html {
  const asked = (Object.keys(others) as (keyof typeof others)[]).filter((scope) => scopes.includes(scope))
  if (asked.length === 0) return ''
  const boxes = asked.map(
    (scope) =>
      html`<label class="choice"><input type="checkbox" name="${scope}" value="on"!${values[scope] === 'on' ? html` checked` : ''}> ${others[scope]}</label>`,
  )
  return html`<fieldset class="choices"><legend>It also asks to</legend>!${boxes.join('\n')}</fieldset>`
}
