import type { ChainFault } from '../../../src/platform/audit-chain.ts'

/** The accounts that rows are about. */
export const accounts = ['acct_01jcmzq8e5f7r9t2v4x6y8z0ab', 'acct_01jcmzq8e5f7r9t2v4x6y8z0cd'] as const
/** The number of chain entries before any tampering. */
export const last = 36
const rowAt = (position: number) => `where id = (select audit_id from audit_chain where position = ${position})`
export const rowsFrom = (position: number) =>
  `where id in (select audit_id from audit_chain where position >= ${position})`

type Name = [fault: ChainFault['fault'], position: number | 'new']
type Tampering = {
  sql: (position: number, other: number) => string
  named: (position: number, other: number) => Name[]
}

const changedAt = (...positions: number[]): Name[] =>
  [...new Set(positions)].sort((one, other) => one - other).map((position) => ['changed', position])

/** For each column of the log, a value with the smallest possible difference. */
export const changes: Record<string, string> = {
  id: 'default',
  at: "at + interval '1 microsecond'",
  actor: "actor || ' '",
  action: 'upper(action)',
  account_id: `case when account_id is null then '${accounts[0]}' end`,
  details: `jsonb_set(details, '{deep,a}', 'null')`,
}
const changeOf = ([column, value]: [string, string]): [string, Tampering] => [
  `a changed ${column}`,
  {
    sql: (position) => `update audit_log set ${column} = ${value} ${rowAt(position)}`,
    named: (position) =>
      column === 'id'
        ? [
            ['missing', position],
            ['unchained', 'new'],
          ]
        : changedAt(position),
  },
]

/** Everything the schema owner can do to one or two positions, and the faults that reveal it. */
export const tamperings: Record<string, Tampering> = {
  ...Object.fromEntries(Object.entries(changes).map(changeOf)),
  'text moved from one field to the next': {
    sql: (at) => `update audit_log set actor = left(actor, -1), action = right(actor, 1) || action ${rowAt(at)}`,
    named: (position) => changedAt(position),
  },
  'a deleted row': {
    sql: (position) => `delete from audit_log ${rowAt(position)}`,
    named: (position) => [['missing', position]],
  },
  'a row deleted with its entry': {
    sql: (position) => `delete from audit_log ${rowAt(position)}; delete from audit_chain where position = ${position}`,
    named: (position) => [position === last ? ['head', last] : ['gap', position]],
  },
  'a row deleted with its entry, and the gap closed up to the head': {
    sql: (position) =>
      `delete from audit_log ${rowAt(position)}; delete from audit_chain where position = ${position};
       update audit_chain set position = position + 1000 where position > ${position};
       update audit_chain set position = position - 1001 where position > 1000;
       update audit_head set position = position - 1`,
    named: (position) => (position === last ? [['head', last - 1]] : changedAt(position)),
  },
  'two rows swapped in the chain': {
    sql: (position, other) =>
      `update audit_chain set audit_id = -audit_id where position in (${position}, ${other});
       update audit_chain mine set audit_id = theirs.audit_id from kept_audit_chain theirs
         where mine.audit_id < 0 and theirs.position = ${position + other} - mine.position`,
    named: (position, other) => changedAt(position, other),
  },
  'two entries swapped': {
    sql: (position, other) =>
      `update audit_chain set position = position + 1000 where position in (${position}, ${other});
       update audit_chain set position = ${position + other + 1000} - position where position > 1000`,
    named: (...both) => [
      ...changedAt(...[...both, ...both.map((position) => position + 1)].filter((position) => position <= last)),
      ...(both.includes(last) ? [['head', last] satisfies Name] : []),
    ],
  },
  'an added row': {
    sql: () => "insert into audit_log (at, actor, action) values ('2026-11-15', 'operator:root', 'ledger.credit')",
    named: () => [['unchained', 'new']],
  },
  'a tail cut off': {
    sql: (position) => `delete from audit_log ${rowsFrom(position)}`,
    // At most twenty are listed.
    named: (position) =>
      Array.from({ length: Math.min(20, last + 1 - position) }, (_, index) => ['missing', position + index]),
  },
  'a tail cut off with its chain': {
    sql: (position) =>
      `delete from audit_log ${rowsFrom(position)}; delete from audit_chain where position >= ${position}`,
    named: () => [['head', last]],
  },
}
