import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitStatements } from './split-statements.ts'

test('statements end at a semicolon outside of strings, names, bodies and comments', () => {
  assert.deepEqual(
    splitStatements(`
      -- a comment; with a semicolon
      create index concurrently a on t (b); /* another; one */
      insert into t values ('it''s; fine', e'a\\';b', "odd;name");
      do $$ begin perform 1; end $$;
      create function f() returns int language sql as $body$ select 1; $body$;
      select 1 -- the last needs none
    `),
    [
      'create index concurrently a on t (b)',
      `insert into t values ('it''s; fine', e'a\\';b', "odd;name")`,
      'do $$ begin perform 1; end $$',
      'create function f() returns int language sql as $body$ select 1; $body$',
      'select 1',
    ],
  )
})

test('a text without statements is empty', () => {
  assert.deepEqual(splitStatements(' ;; -- nothing\n'), [])
})
