import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { exampleDeployment, siteDocuments } from '../../../src/documents/site-documents.ts'
import { kinds } from '../../../src/kinds/index.ts'
import { decide } from '../../../src/moderation/decisions/decision-table.ts'
import { repoDir } from '../../../tooling/services/state.ts'
import { authorName, observePosts, openServedModel } from './open-model.ts'

const model = await openServedModel()
after(() => model[Symbol.asyncDispose]())

type Example = { id: string; kind: string; parts: { field: string; text: string }[] }

const examplesOfKinds: Example[] = kinds.flatMap((kind) =>
  kind.examples.map((body, index) => ({
    id: `${kind.name} ${index + 1}`,
    kind: kind.name,
    parts: kind.texts(kind.body.parse(body) as object),
  })),
)

/** Finds the bodies of posts in any JSON: a message's text, or a title with its body. */
function examplesIn(path: string, content: string): Example[] {
  const plain = content.replaceAll('\\"', '"')
  const value = (name: string) => `"${name}":\\s*"(?<${name}>(?:[^"\\\\]|\\\\.)+)"`
  const messages = [...plain.matchAll(new RegExp(`\\{\\s*${value('text')}`, 'g'))]
  const others = [...plain.matchAll(new RegExp(`${value('title')},\\s*${value('body')}`, 'g'))]
  return [...messages, ...others].map(({ groups = {} }, index) => ({
    id: `${path} ${index + 1}`,
    kind: groups['text'] ? 'message' : 'story',
    parts: Object.entries(groups).map(([field, text]) => ({ field, text: text.replaceAll('\\n', '\n') })),
  }))
}

/** Excludes pages that quote violations. */
const isToFollow = (path: string) => /\.(?:md|txt|json|yml)$/.test(path) && !/policy|problems|transparency/.test(path)

async function heldBack(examples: readonly Example[]): Promise<string[]> {
  const unique = [...new Map(examples.map((one) => [JSON.stringify(one.parts), one])).values()]
  const observed = await observePosts(unique, { model })
  return observed
    .map(({ post, opinion }) => ({ id: post.id, overall: opinion.local.overall, ...decide(opinion) }))
    .filter(({ outcome }) => outcome !== 'publish')
    .map(({ id, row, overall }) => `${id}: ${row}, ${overall}`)
}

test(`every example of every kind is published immediately, by ${authorName} on a new account without a judge`, async () => {
  assert.ok(examplesOfKinds.length >= 4)
  assert.deepEqual(await heldBack(examplesOfKinds), [])
})

test('every post in the guides is published immediately', async () => {
  const examples = ['docs/local-http.md', 'clients/typescript/README.md'].flatMap((path) =>
    examplesIn(path, readFileSync(join(repoDir, path), 'utf8')),
  )
  assert.ok(examples.length > 0)
  assert.deepEqual(await heldBack(examples), [])
})

test('every post in the site documents and tool descriptions is published immediately', async () => {
  const documents = [...siteDocuments(exampleDeployment)].filter(([path]) => isToFollow(path))
  const examples = documents.flatMap(([path, content]) => examplesIn(path, content))
  assert.ok(examples.length > 4, `${examples.length} examples in ${documents.length} documents`)
  assert.deepEqual(await heldBack(examples), [])
})
