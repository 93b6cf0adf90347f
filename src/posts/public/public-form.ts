import { hash } from 'node:crypto'
import type { Kind } from '../../kinds/index.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Sites } from '../sites.ts'
import { examplePostId } from '../status/status-record.ts'
import { type PublishedPost, unsignedPost } from './public-post.ts'

const time = new Date('2026-11-15T12:00:03.000Z')

/** A post that has everything which a post can have. */
export const fullPost = (content: unknown): PublishedPost => ({
  id: examplePostId,
  account_id: 'acct_01jcmzq8e5f7r9t2v4x6y8z0ab',
  content,
  published_at: time,
  edited_at: time,
  visible_until: time,
  author_name: 'Harbour Notices',
  author_standing: 'good',
  author_domain: 'example.com',
})

/** What the JSON of public posts depends on besides their rows: the program, and the settings of the sites. */
export const formOf = (kind: Kind, baseUrl: string) => ({
  fields: Object.keys(kind.content.shape),
  posts: kind.examples.map((content) => unsignedPost(kind, baseUrl, fullPost(content))),
  anonymous: unsignedPost(kind, baseUrl, { ...fullPost(kind.examples[0]), author_standing: 'closed' }),
})

/** The digest of the forms of all sites. If it changes, stored signatures are compared again. */
export const publicForm = (sites: Sites): string =>
  hash('sha256', JSON.stringify([...sites.values()].map(({ kind, baseUrl }) => formOf(kind, baseUrl))), 'base64url')

/** Called by each worker that starts: signatures follow the form of the workers that started last. */
export async function registerForm(db: Database, form: string): Promise<void> {
  await db.updateTable('log_head').set({ public_form: form }).where('public_form', '<>', form).execute()
}
