import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createLogger } from './logger.ts'

function logged(write: (logger: ReturnType<typeof createLogger>) => void): {
  text: string
  line: Record<string, never>
} {
  const lines: string[] = []
  write(createLogger('info', 'test', { write: (text: string) => void lines.push(text) }))
  return { text: lines.join(''), line: JSON.parse(lines[0] ?? '{}') }
}

test('secret fields are redacted, at the top and one level below', () => {
  for (const name of ['authorization', 'cookie', 'api_key', 'secret', 'token', 'email']) {
    const { text } = logged((logger) =>
      logger.info({ [name]: 'hush', request: { [name]: 'hush' }, id: 'kept' }, 'said'),
    )
    assert.doesNotMatch(text, /hush/, name)
    assert.equal(text.split('[redacted]').length, 3, name)
    assert.match(text, /kept/)
  }
})

test('a database error is logged with its code and constraint, without parts that quote a row', () => {
  const cause = Object.assign(new pg.DatabaseError('duplicate key value violates "accounts_email"', 0, 'error'), {
    code: '23505',
    constraint: 'accounts_email',
    detail: 'Key (email)=(hush@example.com) already exists.',
    where: 'COPY accounts, line 1: "hush"',
    internalQuery: "select 'hush'",
    hint: 'hush',
    dataType: 'hush',
  })
  for (const error of [cause, new Error('the account was not stored', { cause })]) {
    const { text } = logged((logger) => logger.error({ error }, 'failed'))
    assert.match(text, /"code":"23505","constraint":"accounts_email"/)
    assert.doesNotMatch(text, /hush/)
  }
})

test('a thrown value that is not an Error is not logged', () => {
  const { text } = logged((logger) => logger.error({ error: { email: 'hush', note: 'hush' } }, 'failed'))
  assert.doesNotMatch(text, /hush/)
  assert.match(text, /not an Error/)
})

test('a line has its process and its time in UTC, and is omitted if its level is too low', () => {
  const { line } = logged((logger) => logger.info('ready'))
  assert.equal(line['process'], 'test')
  assert.match(line['time'] ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.equal(logged((logger) => logger.debug('unheard')).text, '')
})

test('one cause is logged once a minute, with the number of lines left out', (context) => {
  context.mock.timers.enable({ apis: ['Date'] })
  const lines: string[] = []
  const logger = createLogger('info', 'test', { write: (text: string) => void lines.push(text) })
  const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
  const failAll = () => {
    for (let tries = 0; tries < 10; tries++) {
      logger.warn({ error: refused() }, 'could not poll')
      logger.child({}).error({ error: refused() }, 'could not write')
      logger.error({ error: refused(), request_id: `${tries}` }, 'failed')
    }
  }
  failAll()
  assert.equal(lines.length, 12)
  context.mock.timers.tick(60_000)
  failAll()
  assert.equal(lines.length, 24)
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).omitted).filter((omitted) => omitted !== undefined),
    [9, 9],
  )
  assert.doesNotMatch(lines.join(''), /"stack"/, 'the message says everything')
})
