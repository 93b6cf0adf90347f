import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { secondsToMidnight } from './utc-day.ts'

test('the seconds to midnight are exact', () => {
  const seconds = (time: string) => secondsToMidnight(new Date(`2030-06-01T${time}Z`))
  assert.equal(seconds('00:00:00.000'), 86_400)
  assert.equal(seconds('00:00:00.001'), 86_400)
  assert.equal(seconds('00:00:01.000'), 86_399)
  assert.equal(seconds('12:00:00.000'), 43_200)
  assert.equal(seconds('23:59:58.999'), 2)
  assert.equal(seconds('23:59:59.000'), 1)
  assert.equal(seconds('23:59:59.999'), 1)
})

test('waiting that many seconds reaches the next day, and waiting one second less does not', () => {
  const day = (time: number) => Math.floor(time / 86_400_000)
  const moments = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(moments, (at) => {
      const seconds = secondsToMidnight(at)
      assert.ok(Number.isInteger(seconds) && seconds >= 1)
      assert.equal(day(at.getTime() + seconds * 1_000), day(at.getTime()) + 1)
      assert.equal(day(at.getTime() + (seconds - 1) * 1_000), day(at.getTime()))
    }),
  )
})
