import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawFlame, maxFlameBytes } from './flame-svg.ts'
import { addProfile, type CpuProfile, emptyTree } from './profile-tree.ts'

const repository = '/home/someone/service'
const frameOf = (functionName: string, url = '') => ({ functionName, url, lineNumber: 0, columnNumber: 0 })

const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frameOf('(root)'), children: [2, 3, 4, 5] },
    { id: 2, callFrame: frameOf('(idle)') },
    { id: 3, callFrame: frameOf('parse', `file://${repository}/src/posts/parse.ts`), children: [6] },
    // The same function, as V8 lists it twice after an optimization.
    { id: 4, callFrame: frameOf('parse', `file://${repository}/src/posts/parse.ts`) },
    { id: 5, callFrame: frameOf('query', `file://${repository}/node_modules/pg/lib/client.js`) },
    { id: 6, callFrame: frameOf('write', 'node:net') },
  ],
  samples: [2, 3, 4, 5, 6],
  timeDeltas: [9_000_000, 2_000, 3_000, 4_000, 1_000],
}

test('a flame graph merges the calls of a function and leaves waiting out', () => {
  const tree = emptyTree()
  addProfile(tree, profile, repository)
  const times = [...tree.children.values()].map(({ name, origin, micros }) => ({ name, origin, micros }))
  assert.deepEqual(times, [
    { name: 'parse src/posts/parse.ts', origin: 'program', micros: 6_000 },
    { name: 'query pg', origin: 'package', micros: 4_000 },
  ])
  assert.equal(tree.micros, 10_000)
})

test('a flame graph names no folder of the machine and escapes names', () => {
  const tree = emptyTree()
  addProfile(tree, profile, repository)
  tree.children.set('<b>', { name: '<b>', origin: 'engine', micros: 2_000, children: new Map() })
  const svg = drawFlame(tree, 'A "title" & more')
  assert.doesNotMatch(svg, /someone|<b>/)
  assert.match(svg, /&lt;b&gt;: 20\.0 %/)
  assert.match(svg, /A &quot;title&quot; &amp; more/)
})

test('a flame graph of any profile stays small', () => {
  const tree = emptyTree()
  for (let index = 0; index < 900; index++) {
    const name = `function ${index} of a rather long file name that is drawn ${'x'.repeat(80)}`
    tree.children.set(name, { name, origin: 'program', micros: 1_000 - index, children: new Map() })
    tree.micros += 1_000 - index
  }
  assert.ok(Buffer.byteLength(drawFlame(tree, 'Many')) <= maxFlameBytes)
})
