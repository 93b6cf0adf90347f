import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { defineOperation, type Operation } from '../../define-operation.ts'
import { problemClassName } from '../client-rules.ts'
import { docstring, snakeCase } from './names.ts'
import { printPythonClient } from './print-python-client.ts'
import { printPythonType } from './types.ts'

/** The type of a schema, and the definitions that it needs. */
function printed(schema: Record<string, unknown>) {
  const definitions: string[] = []
  return { type: printPythonType(schema, 'Thing', (definition) => definitions.push(definition)), definitions }
}

const text = { type: 'string' }

test('schemas become types of Python', () => {
  const types = [
    [{ type: 'integer' }, 'int'],
    [{ type: 'number' }, 'float'],
    [{ type: ['string', 'null'] }, 'Optional[str]'],
    [{ anyOf: [text, { type: 'boolean' }, { type: 'null' }] }, 'Optional[Union[str, bool]]'],
    [{ anyOf: [text, text] }, 'str'],
    [{ enum: ['a"b', 5, true] }, 'Literal["a\\"b", 5, True]'],
    [{ const: null }, 'None'],
    [{ type: 'array', items: { component: 'Post' } }, 'list[Post]'],
    [{ type: 'object' }, 'dict[str, Any]'],
    [{ type: 'object', additionalProperties: text }, 'dict[str, str]'],
    [{ description: 'Anything.' }, 'Any'],
  ] as const
  for (const [schema, type] of types) assert.deepEqual(printed(schema), { type, definitions: [] })
})

test('a schema that the generator does not know is an error', () => {
  assert.throws(() => printed({ allOf: [text] }), /does not support the schema/)
})

test('required and optional keys are two classes, and an object inside has the name of its place', () => {
  const inner = { type: 'object', properties: { city: text }, required: ['city'], description: 'Where.' }
  const { type, definitions } = printed({ type: 'object', properties: { id: text, place: inner }, required: ['id'] })
  assert.equal(type, 'Thing')
  assert.deepEqual(definitions, [
    'class ThingPlace(TypedDict):\n    """Where."""\n\n    city: str',
    'class _ThingRequired(TypedDict):\n    id: str',
    'class Thing(_ThingRequired, total=False):\n    place: ThingPlace\n    """Where."""',
  ])
})

test('a key that is no name in Python is quoted', () => {
  const keys = { type: 'object', properties: { from: text, 'a-b': { type: 'integer' } }, required: ['a-b'] }
  assert.deepEqual(printed(keys).definitions, [
    '_ThingRequired = TypedDict(\n    "_ThingRequired",\n    {\n        "a-b": "int",\n    },\n)',
    '_ThingOptional = TypedDict(\n    "_ThingOptional",\n    {\n        "from": "str",\n    },\n    total=False,\n)',
    'class Thing(_ThingRequired, _ThingOptional):\n    """A dictionary."""',
  ])
})

test('names and texts are written as Python writes them', () => {
  assert.deepEqual(['waitForDecision', 'listMyPosts', 'getPost'].map(snakeCase), [
    'wait_for_decision',
    'list_my_posts',
    'get_post',
  ])
  assert.deepEqual(['post_gone', 'internal_error'].map(problemClassName), ['PostGoneError', 'InternalError'])
  assert.equal(docstring('A \\ and """ and "', '  '), '  """A \\\\ and \\"\\"\\" and \\""""')
  for (const line of docstring('word '.repeat(100), '    ').split('\n')) assert.ok(line.length <= 114, line)
})

const operation = (id: string, more: Partial<Operation>) =>
  ({
    ...defineOperation({
      ...({ id, method: 'GET', path: `/v1/${id}`, access: 'anyone', whenBanned: 'allowed', tag: 'Posts' } as const),
      ...({ successStatus: 200, summary: 'Read', description: 'Reads.', problems: [] } as const),
      output: z.object({ data: z.array(z.string()), next_cursor: z.null() }).meta({ component: 'PostList' }),
      examples: { output: { data: [], next_cursor: null } },
      handle: () => ({ data: [], next_cursor: null }),
    }),
    ...more,
  }) as Operation

test('a stream has no method, and a kind gets its overloads', () => {
  const body = z.object({ text: z.string() })
  const operations = [
    operation('submitPost', { method: 'POST', body }),
    operation('editPost', { method: 'PATCH', body }),
    operation('browsePosts', { query: z.object({ topic: z.string().optional() }) }),
    operation('streamPosts', { answersStream: true } as object),
  ]
  const modules = printPythonClient(new Map([['poem', operations]]))
  assert.match(String(modules.get('operations.py')), /^BROWSE_POSTS/m)
  for (const module of modules.values()) assert.doesNotMatch(module, /stream_posts|STREAM_POSTS/)
  const conveniences = String(modules.get('sync_conveniences.py'))
  assert.match(conveniences, /def publish\(\n {8}self,\n {8}kind: Literal\["poem"\],\n {8}body: SubmitPostBody,/)
  assert.doesNotMatch(conveniences, /def drafts/)
})
