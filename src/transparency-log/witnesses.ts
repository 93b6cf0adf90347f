import { inTransaction, type Transaction } from '../platform/database/database.ts'
import { postText } from '../platform/outbound-http/configured-service.ts'
import type { Published } from './checkpoints.ts'
import { currentLog, isOpenTo, readLogHead, stopLog, type TransparencyLog, type Witness } from './log.ts'
import { cosignatureTime, findSignature, splitNote } from './notes.ts'
import { tileReader } from './read-tiles.ts'
import { consistencyProof } from './tree/merkle-proofs.ts'

const timeoutMs = 2_000
const maxAnswerBytes = 16_384
/** Readers refuse cosignatures from the future, so the log does not publish them. */
const clockToleranceMs = 300_000

/** What a process knows of its witnesses. */
export type WitnessMemory = {
  /** The names of those that agreed with the database. They are asked again if the log goes back or is resumed. */
  agreed?: ReadonlySet<string>
  /** The largest size of the log that this process has seen. */
  size?: number
  resumedAt?: number | undefined
  askedAt?: number
  /** When the process last published, or tried to get cosignatures that were missing. */
  publishedAt?: number
}

/** How often a witness that did not answer is asked again. */
export const askAgainMs = 60_000

/**
 * Asks each witness once whether the log in the database continues what it has cosigned, before the log signs anything
 * new: if database and files were restored together, only a witness knows. A process asks when it starts, after the log
 * was resumed, and when the log is smaller than before. Returns whether the log may go on; it does so without a witness
 * that does not answer.
 *
 * A witness may be ahead of the published checkpoint, but not of the database: a process that died after the cosignature
 * could not publish it.
 */
export async function askWitnesses(
  log: TransparencyLog,
  published: Published,
  memory: WitnessMemory,
): Promise<boolean> {
  if (log.witnesses.length === 0) return true
  return inTransaction(log.db, async (tx) => {
    const head = await readLogHead(tx)
    if (!isOpenTo(log, head)) return false
    const resumedAt = head.resumedAt?.getTime()
    if (memory.resumedAt !== resumedAt || head.size < (memory.size ?? 0)) {
      delete memory.agreed
      delete memory.askedAt
    }
    memory.size = head.size
    memory.resumedAt = resumedAt
    const open = log.witnesses.filter(({ key }) => !memory.agreed?.has(key.name))
    if (open.length === 0 || performance.now() - (memory.askedAt ?? Number.NEGATIVE_INFINITY) < askAgainMs) return true
    const { size, note } = published
    const submitted = note === undefined ? await readCheckpointFrom(tx, 1) : { size, note }
    // The log has signed nothing yet.
    if (!submitted) return true
    memory.askedAt = performance.now()
    const answers = await askAll(tx, { ...log, witnesses: open }, submitted)
    if (!answers) return false
    const agreed = answers.flatMap(({ agrees }, at) => (agrees ? (open[at]?.key.name ?? []) : []))
    memory.agreed = new Set([...(memory.agreed ?? []), ...agreed])
    return true
  })
}

/** The first stored checkpoint with at least this size. */
const readCheckpointFrom = (tx: Transaction, size: number): Promise<Submitted | undefined> =>
  tx
    .selectFrom('log_checkpoints')
    .select(['size', 'note'])
    .where('log', '=', currentLog)
    .where('size', '>=', size)
    .orderBy('size')
    .limit(1)
    .executeTakeFirst()

type Cosigned = { note: string; isComplete: boolean }

/**
 * Adds the cosignatures of all witnesses that answer in time. A witness that cannot be reached is left out: the log goes
 * on without it. Undefined if a witness has seen a checkpoint that this one does not continue: then the log has stopped.
 */
export async function cosign(
  tx: Transaction,
  log: TransparencyLog,
  submitted: Submitted,
): Promise<Cosigned | undefined> {
  const { note } = submitted
  const answers = await askAll(tx, log, submitted)
  if (!answers) return undefined
  const cosigned = answers.flatMap(({ line }) => line ?? [])
  const lines = cosigned.filter((line) => !note.includes(line))
  return {
    note: lines.reduce((whole, line) => `${whole}${line}\n`, note),
    isComplete: cosigned.length === log.witnesses.length,
  }
}

/** Undefined if a witness contradicts: then the log has stopped. */
async function askAll(tx: Transaction, log: TransparencyLog, submitted: Submitted): Promise<Answer[] | undefined> {
  const answers = await Promise.all(
    log.witnesses.map((witness) =>
      askWitness(tx, log, witness, submitted).catch((error): Answer => {
        log.logger.warn({ witness: witness.key.name, error }, 'a witness does not answer')
        return {}
      }),
    ),
  )
  const conflict = answers.find((answer) => answer.conflict)?.conflict
  if (conflict === undefined) return answers
  await stopLog({ ...log, db: tx }, conflict)
  return undefined
}

/** A witness that agrees with a later checkpoint of the log has no cosignature for the submitted one. */
type Answer = { agrees?: true; line?: string; conflict?: 'witness_ahead' | 'witness_refuses' }
type Submitted = { note: string; size: number }

const maxTries = 3

async function askWitness(
  tx: Transaction,
  log: TransparencyLog,
  witness: Witness,
  submitted: Submitted,
): Promise<Answer> {
  const { name } = witness.key
  const row = await tx.selectFrom('log_witnesses').select('size').where('name', '=', name).executeTakeFirst()
  let asked = submitted
  let oldSize = Math.min(row?.size ?? 0, asked.size)
  // The next try starts from the size that the witness has named.
  for (let tries = 0; tries < maxTries; tries += 1) {
    const proof = await consistencyProof(tileReader(tx, asked.size), oldSize, asked.size)
    const answer = await send(witness, { oldSize, proof, note: asked.note })
    if (answer.status === 200) {
      const accepted = await accept(tx, log, witness, { ...asked, text: answer.text })
      return asked === submitted || !accepted.agrees ? accepted : { agrees: true }
    }
    const known = answer.status === 409 ? sizeIn(answer.text) : undefined
    if (known === undefined) {
      if (answer.status === 422) return { conflict: 'witness_refuses' }
      log.logger.warn({ witness: name, status: answer.status }, 'a witness refuses to cosign')
      return {}
    }
    // It has as many entries as we said, but other ones.
    if (known === oldSize) return { conflict: 'witness_refuses' }
    if (known > asked.size) {
      // Another process may have published meanwhile, or died after the cosignature: the database has its checkpoint.
      const later = await readCheckpointFrom(tx, known)
      if (!later) return { conflict: 'witness_ahead' }
      asked = later
    }
    oldSize = known
  }
  return {}
}

/** The size in a response with 409; undefined if it is not a number that a log can have. */
const sizeIn = (text: string): number | undefined => (/^(0|[1-9]\d{0,14})\n?$/.test(text) ? Number(text) : undefined)

async function accept(
  tx: Transaction,
  log: TransparencyLog,
  witness: Witness,
  { note, size, text }: Submitted & { text: string },
): Promise<Answer> {
  const { name } = witness.key
  const parts = splitNote(`${splitNote(note)?.text ?? ''}\n${text}`)
  const line = parts && findSignature(parts, witness.key)
  if (!line) {
    log.logger.warn({ witness: name }, 'a witness answers without its cosignature')
    return {}
  }
  if (Math.abs(cosignatureTime(line) - log.clock.now().getTime()) > clockToleranceMs) {
    log.logger.warn({ witness: name }, 'the clock of a witness is wrong')
    return {}
  }
  await tx.updateTable('log_witnesses').set({ size }).where('name', '=', name).execute()
  return { agrees: true, line }
}

type Submission = { oldSize: number; proof: readonly Buffer[]; note: string }

function send({ url }: Witness, { oldSize, proof, note }: Submission) {
  const lines = [`old ${oldSize}`, ...proof.map((hash) => hash.toString('base64')), '', note]
  const submission = { body: lines.join('\n'), timeoutMs, maxBytes: maxAnswerBytes }
  return postText(`${url.replace(/\/$/, '')}/add-checkpoint`, submission)
}
