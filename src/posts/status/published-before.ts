import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { findLinks } from '../../contract/text/links.ts'
import type { TextPart } from '../../contract/text/text.ts'
import type { Transaction } from '../../platform/database/database.ts'

type Content = { accountId: string; kind: string; texts: readonly TextPart[] }

/** Records the kind and the domains that an account publishes for the first time. */
export async function recordPublishedSubjects(tx: Transaction, { postId, ...content }: Content & { postId: string }) {
  const subjects = [kindSubject(content.kind), ...domainSubjects(content).subjects]
  // Sorted, so that two posts by one account cannot deadlock.
  await sql`
    insert into published_before (account_id, subject, post_id)
    select ${content.accountId}, wanted.subject, ${postId} from unnest(${subjects}::text[]) wanted (subject)
    where not exists (
      select from published_before known
      where known.account_id = ${content.accountId} and known.subject = wanted.subject
    )
    order by wanted.subject
    on conflict do nothing`.execute(tx)
}

/** Deletes the records of a removed post, so that its kind and domains count as new again. */
export async function deletePublishedSubjects(tx: Transaction, postId: string): Promise<void> {
  await tx.deleteFrom('published_before').where('post_id', '=', postId).execute()
}

/** Whether the kind, or a domain in the texts, is new for the account. */
export async function findNew(tx: Transaction, content: Content) {
  const { subjects, isReadable } = domainSubjects(content)
  const kind = kindSubject(content.kind)
  const rows = await tx
    .selectFrom('published_before')
    .select('subject')
    .where('account_id', '=', content.accountId)
    .where('subject', 'in', [kind, ...subjects])
    .execute()
  const known = new Set(rows.map(({ subject }) => subject))
  return { isNewKind: !known.has(kind), hasNewDomain: !isReadable || subjects.some((subject) => !known.has(subject)) }
}

const kindSubject = (kind: string) => `kind:${kind}`

/** A link that browsers cannot parse has no domain and always counts as new. */
function domainSubjects({ accountId, texts }: Content) {
  const links = texts.flatMap(({ text }) => findLinks(text))
  const domains = new Set(links.map(domainOf))
  return {
    subjects: [...domains].flatMap((domain) => (domain === null ? [] : `domain:${digest(accountId, domain)}`)),
    isReadable: !domains.has(null),
  }
}

/** The link's host. Subdomains count separately, because different people may run them. */
export function domainOf(link: string): string | null {
  const host = URL.parse(link)?.hostname
  return host ? host.replace(/\.$/, '').replace(/^www\./, '') : null
}

const digest = (accountId: string, domain: string) =>
  createHash('sha256').update(`${accountId} ${domain}`).digest('base64url')
