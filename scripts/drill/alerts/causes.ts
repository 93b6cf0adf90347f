import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordCheck } from '../../../src/platform/observability/checks.ts'
import { openApiClient } from '../../../tooling/clients/api-client.ts'
import { holdAccount, runOperator } from '../../../tooling/environment/processes.ts'
import type { Drilled } from './open-drilled.ts'
import { asSuperuser } from './superuser.ts'

export type Cause = {
  /** The names of the alerts, with the objective if there is one. */
  fires: readonly string[]
  does: string
  /** Breaks something. What it returns mends it, if anything later needs it whole. */
  run: (drilled: Drilled) => Promise<(() => Promise<unknown>) | undefined>
}

/** What makes each alert fire, in the order of the drill: what cannot be mended comes last. */
export const causes: readonly Cause[] = [
  {
    fires: ['ProcessDown'],
    does: 'kills the desk',
    run: async ({ desk }) => {
      const restart = Promise.withResolvers<void>()
      await desk.kill(restart.promise)
      return async () => {
        restart.resolve()
        await desk.untilUp()
      }
    },
  },
  {
    fires: ['EventLoopBlocked'],
    does: 'stops an API process for 400 of each 500 ms',
    run: async ({ environment }) => repeating(async () => await environment.apis[0]?.pause(400), 100),
  },
  {
    fires: ['RequestsShed', 'PoolExhausted'],
    does: 'locks the row of an account and lets 500 callers post with its key',
    run: async ({ environment, accounts: [account] }) => {
      if (!account) throw new Error('the drill needs an account')
      const lock = await holdAccount(environment.database, account.id)
      const client = openApiClient({ baseUrl: environment.baseUrl, apiKey: account.apiKey, maxRetries: 0 })
      const submit = () => client.submitPost({ text: 'Waits for a lock.' }, {}).catch(() => {})
      const stops = Array.from({ length: 500 }, () => repeating(submit, 50))
      return async () => {
        await lock.release()
        await Promise.all(stops.map((stop) => stop()))
      }
    },
  },
  {
    fires: ['ProcessNotReady', 'ApiErrors', 'ErrorBudgetBurnsFast writes', 'ErrorBudgetBurnsSlowly writes'],
    does: 'cuts the API processes off from the database',
    run: async ({ wire }) => {
      await wire.cut()
      return wire.mend
    },
  },
  {
    fires: ['CardsFail'],
    does: 'asks for cards where no font is',
    run: async ({ cardsUrl }) =>
      repeating(async () => void (await fetch(cardsUrl).then((answer) => answer.text())), 500),
  },
  {
    fires: ['PageDiskFull'],
    does: 'fills the disk of the pages',
    run: async ({ disk }) => {
      await disk.fill()
      return async () => disk.empty()
    },
  },
  {
    fires: ['ReplicationLag', 'ReplicaUnused'],
    does: 'pauses the replay on the standby',
    run: async ({ cluster }) => {
      await asSuperuser(cluster.standbyUrl, 'select pg_wal_replay_pause()')
      return () => asSuperuser(cluster.standbyUrl, 'select pg_wal_replay_resume()')
    },
  },
  {
    fires: ['EmailFails'],
    does: 'invites staff while no mail server listens',
    run: async ({ environment: { settings } }) => {
      const invite = (name: string) =>
        runOperator(settings, 'staff', 'invite', `${name}@example.com`, ...['--name', name, '--role', 'reviewer'])
      for (const name of ['ada', 'bob', 'eve']) await invite(name)
      return undefined
    },
  },
  {
    fires: ['JobsFail'],
    does: 'adds a job that cannot be read, in its last attempt',
    run: ({ environment }) =>
      change(
        environment.database,
        `insert into pgboss.job (name, data, retry_count, retry_limit) values ('relay-message', '{}', 100000, 100000)`,
      ),
  },
  {
    fires: ['OldestQueuedPost', 'ServiceRefuses'],
    does: 'stops the model, submits a post and moves the clock by 20 minutes',
    run: async ({ environment, accounts: [, account] }) => {
      await environment.modelSwitch.turnTo('refuse')
      const client = openApiClient({ baseUrl: environment.baseUrl, apiKey: String(account?.apiKey) })
      await client.submitPost({ text: 'The ferry to Hiiumaa leaves at nine from the old pier.' }, {})
      await runOperator(environment.settings, 'clock', 'advance', '20m')
      return () => environment.modelSwitch.turnTo('pass')
    },
  },
  {
    fires: ['DeliveriesLate'],
    does: 'takes the right to claim lanes from the workers while a delivery is due',
    run: ({ environment, accounts: [account] }) =>
      change(
        environment.database,
        'revoke update on delivery_lanes from broadside_worker',
        'set session_replication_role = replica',
        `insert into webhooks (id, account_id, slot, url, events, created_at) values ('wh_${'0'.repeat(26)}', '${account?.id}', 1, 'https://example.com/', '{post.published}', now())`,
        `insert into delivery_lanes (webhook_id, queue, due_at) values ('wh_${'0'.repeat(26)}', 'first', now() - interval '10 minutes') on conflict do nothing`,
      ),
  },
  {
    fires: ['DecisionsDue'],
    does: 'takes the right to apply decisions from the workers while one is due',
    run: ({ environment }) =>
      change(
        environment.database,
        'revoke update on desk_decisions from broadside_worker',
        'set session_replication_role = replica',
        `insert into desk_decisions (case_key, case_kind, post_id, edit, account_id, staff_id, verdict, seconds, decided_at, due_at)
         select 'review:' || id, 'review', id, 0, account_id, 'staff_${'0'.repeat(26)}', 'publish', 1, now(), now() from posts limit 1`,
      ),
  },
  {
    fires: ['MetricsMissing'],
    does: 'takes the right to read edits from the workers',
    run: async ({ environment }) => {
      await change(environment.database, 'revoke select on post_edits from broadside_worker')
      return () => change(environment.database, 'grant select on post_edits to broadside_worker')
    },
  },
  {
    fires: ['ErasureLogFails'],
    does: 'puts a file where the directory of the erasure log was, and notes an erasure',
    run: async ({ environment, erasureLog }) => {
      renameSync(erasureLog, `${erasureLog}.old`)
      writeFileSync(erasureLog, '')
      await change(
        environment.database,
        `insert into erasures (kind, subject) values ('post.deleted', 'post_${'0'.repeat(26)}')`,
      )
      return async () => {
        rmSync(erasureLog)
        renameSync(`${erasureLog}.old`, erasureLog)
      }
    },
  },
  {
    fires: ['TransparencyLogStopped', 'TransparencyLogBehind', 'TransparencyLogEntryStuck'],
    does: 'stops the transparency log while posts are published',
    run: async ({ environment }) => {
      await change(environment.database, "update log_head set stopped_reason = 'files_missing', stopped_at = now()")
      return () => change(environment.database, 'update log_head set stopped_reason = null, stopped_at = null')
    },
  },
  {
    fires: ['GatewayWrong'],
    does: 'records a check of the gateway that failed',
    run: async ({ environment }) => {
      await runOperator(environment.settings, 'check', 'record', 'gateway', '--failed')
      return undefined
    },
  },
  {
    fires: ['LedgerWrong'],
    does: 'changes a balance by a micro-dollar, then runs `ledger verify`',
    run: async ({ environment, accounts: [account] }) => {
      await change(
        environment.database,
        `update balances set prepaid_micros = prepaid_micros + 1 where account_id = '${account?.id}'`,
      )
      await runOperator(environment.settings, 'ledger', 'verify')
      return undefined
    },
  },
  {
    fires: ['AuditLogWrong'],
    does: 'changes a row of the audit log, then runs `audit verify`',
    run: async ({ environment, accounts: [account] }) => {
      await runOperator(environment.settings, 'credit', String(account?.id), '1', '--reason', 'drill')
      await change(
        environment.database,
        'set session_replication_role = replica',
        "update audit_log set actor = actor || '.' where id = (select max(id) from audit_log)",
      )
      await runOperator(environment.settings, 'audit', 'verify')
      return undefined
    },
  },
  {
    fires: ['BackupOld'],
    does: 'records a backup that failed',
    run: async ({ environment }) => {
      await runOperator(environment.settings, 'check', 'record', 'backup', '--failed')
      return undefined
    },
  },
  {
    fires: ['VerificationOld'],
    does: 'leaves a verification of two days ago as the last one',
    run: async ({ checksDirectory }) => {
      await recordCheck(checksDirectory, 'ledger', { ok: true, at: new Date(Date.now() - 172_800_000) })
      return undefined
    },
  },
]

/** Alerts without a cause here, and why. */
export const notCaused: Record<string, string> = {}

/** Runs the work again and again. Returns what ends it. */
function repeating(work: () => Promise<unknown>, pauseMs: number): () => Promise<void> {
  let isOver = false
  const running = (async () => {
    while (!isOver) {
      await work()
      await sleep(pauseMs)
    }
  })()
  return async () => {
    isOver = true
    await running
  }
}

async function change({ adminUrl }: { adminUrl: string }, ...statements: string[]): Promise<undefined> {
  await asSuperuser(adminUrl, ...statements)
}
