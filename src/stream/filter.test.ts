import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds } from '../kinds/index.ts'
import { wantsEntry } from './filter.ts'

const kind = kinds.find(({ name }) => name === 'message') as (typeof kinds)[number]
const entry = { kind: 'message', account_id: 'acct_a', facets: {} }
const by = (author: string) => ({ kind: undefined, author, facets: {} })

test('a reader of one author gets that author’s posts, until the account is closed', () => {
  const posted = { ...entry, type: 'post.published' } as const
  const wants = (author: string, author_standing: string) =>
    wantsEntry(by(author), { ...posted, author_standing }, kind)
  assert.deepEqual([wants('acct_a', 'good'), wants('acct_b', 'good'), wants('acct_a', 'closed')], [true, false, false])
})

test('the removal of a post whose author has closed the account reaches every reader of its kind', () => {
  const removed = { ...entry, type: 'post.removed' } as const
  const wants = (author: string, author_standing: string) =>
    wantsEntry(by(author), { ...removed, author_standing }, kind)
  assert.deepEqual([wants('acct_a', 'good'), wants('acct_b', 'good')], [true, false])
  assert.deepEqual([wants('acct_a', 'closed'), wants('acct_b', 'closed')], [true, true])
  const ofOtherKind = { kind: 'story', author: 'acct_a', facets: {} }
  assert.equal(wantsEntry(ofOtherKind, { ...removed, author_standing: 'closed' }, kind), false)
})
