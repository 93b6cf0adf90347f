import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outgoing } from './channel.ts'
import { type Destination, readDestination } from './destination.ts'

const signed = (url: string) => {
  const { path, query } = outgoing('POST', readDestination(url) as Destination, null)
  return [path, query]
}

for (const [path, query] of [
  ['/', ''],
  ['/in', '?a=1?b'],
  ['/in', '?'],
  ['//', ''],
  ['//other.example/in', '?a=//b'],
  ['/in//http://other.example', ''],
] as const)
  test(`a signature covers the path ${path} and the query ${query} as they are sent`, () => {
    const url = `https://hooks.example${path}${query}`
    // A parser drops a question mark with nothing behind it, so it is not sent either.
    assert.deepEqual(signed(url), [path, query === '?' ? '' : query])
    assert.equal(signed(url).join(''), (readDestination(url) as Destination).path)
  })
