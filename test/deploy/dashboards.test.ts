import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownSeries, seriesIn } from '../support/prometheus.ts'
import { read, tracked } from '../support/repository.ts'

type Panel = {
  id: number
  type: string
  title: string
  gridPos: { h: number; w: number; x: number; y: number }
  fieldConfig?: { defaults: { unit: string } }
  targets?: { expr: string }[]
}
type Dashboard = { uid: string; title: string; panels: Panel[] }

const files = tracked.filter((path) => /^deploy\/grafana\/dashboards\/.*\.json$/.test(path))
const dashboards = files.map((path) => JSON.parse(read(path)) as Dashboard)

test('each query of a dashboard names metrics of the table or of a rule', () => {
  const queries = dashboards.flatMap(({ panels }) => panels.flatMap(({ targets = [] }) => targets))
  assert.ok(queries.length > 40)
  assert.deepEqual(
    queries.flatMap(({ expr }) => {
      const named = seriesIn(expr)
      return named.length > 0 && named.every((name) => knownSeries.has(name)) ? [] : [expr]
    }),
    [],
  )
})

test('each panel has a unit, a title of its own and a place of its own', () => {
  assert.equal(new Set(dashboards.map(({ uid }) => uid)).size, files.length)
  for (const { title, panels } of dashboards) {
    for (const key of ['id', 'title'] as const)
      assert.equal(new Set(panels.map((panel) => panel[key])).size, panels.length, title)
    const taken = new Set<string>()
    for (const { type, title: name, gridPos, fieldConfig } of panels) {
      if (type !== 'row') assert.ok(fieldConfig?.defaults.unit, name)
      assert.ok(gridPos.x + gridPos.w <= 24, name)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.ok(!taken.has(`${x},${y}`), `${name} overlaps another panel`)
          taken.add(`${x},${y}`)
        }
    }
  }
})

test('the objectives dashboard is the one that docs/slo.md names', () => {
  const named = /dashboard “(.+?)”/.exec(read('docs/slo.md'))?.[1]
  assert.ok(dashboards.some(({ title }) => title === named))
})
