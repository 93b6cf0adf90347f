import { inTransaction, type Transaction } from '../platform/database/database.ts'
import { postText } from '../platform/outbound-http/configured-service.ts'
import type { Published } from './checkpoints.ts'
import { isOpenTo, type LogHead, readLogHead, stopLog, type TransparencyLog, type Witness } from './log.ts'
import { cosignatureTime, findSignature, splitNote } from './notes.ts'
import { tileReader } from './read-tiles.ts'
import { consistencyProof } from './tree/merkle-proofs.ts'

const timeoutMs = 2_000
const maxAnswerBytes = 16_384
/** Readers refuse cosignatures from the future, so the log does not publish them. */
const clockToleranceMs = 300_000

/** What a process knows of its witnesses: at which size of the log, and after which stop, all of them agreed. */
export type WitnessMemory = { agreed?: { size: number; resumedAt: number | undefined }; askedAt?: number }

/** How often witnesses are asked again if one did not answer. */
const askAgainMs = 60_000

/**
 * Asks all witnesses whether they know more than is published, before the log signs anything new: if database and files
 * were restored together, only a witness knows. A process asks when it starts, after the log was resumed, and when the log
 * is smaller than before. Returns whether the log may go on; it does so without a witness that does not answer.
 */
export async function askWitnesses(
  log: TransparencyLog,
  { size, root, note }: Published,
  memory: WitnessMemory,
): Promise<boolean> {
  if (log.witnesses.length === 0 || note === undefined) return true
  return inTransaction(log.db, async (tx) => {
    const head = await readLogHead(tx)
    if (!isOpenTo(log, head)) return false
    const resumedAt = head.resumedAt?.getTime()
    const { agreed, askedAt } = memory
    if (agreed && agreed.resumedAt === resumedAt && agreed.size <= size) {
      agreed.size = size
      return true
    }
    if (!agreed && askedAt !== undefined && performance.now() - askedAt < askAgainMs) return true
    memory.askedAt = performance.now()
    const answered = await cosign(tx, log, note, { size, root })
    if (answered === undefined) return false
    if (answered.isComplete) memory.agreed = { size, resumedAt }
    else delete memory.agreed
    return true
  })
}

type Cosigned = { note: string; isComplete: boolean }

/**
 * Adds the cosignatures of all witnesses that answer in time. A witness that cannot be reached is left out: the log goes
 * on without it. Undefined if a witness has seen a checkpoint that this one does not continue: then the log has stopped.
 */
export async function cosign(
  tx: Transaction,
  log: TransparencyLog,
  note: string,
  head: Pick<LogHead, 'size' | 'root'>,
): Promise<Cosigned | undefined> {
  const answers = await Promise.all(
    log.witnesses.map((witness) =>
      askWitness(tx, log, witness, { note, size: head.size }).catch((error): Answer => {
        log.logger.warn({ witness: witness.key.name, error }, 'a witness does not answer')
        return {}
      }),
    ),
  )
  const conflict = answers.find((answer) => answer.conflict)?.conflict
  if (conflict) {
    await stopLog({ ...log, db: tx }, conflict)
    return undefined
  }
  const cosigned = answers.flatMap(({ line }) => line ?? [])
  const lines = cosigned.filter((line) => !note.includes(line))
  return {
    note: lines.reduce((whole, line) => `${whole}${line}\n`, note),
    isComplete: cosigned.length === log.witnesses.length,
  }
}

type Answer = { line?: string; conflict?: 'witness_ahead' | 'witness_refuses' }
type Submitted = { note: string; size: number }

async function askWitness(
  tx: Transaction,
  log: TransparencyLog,
  witness: Witness,
  { note, size }: Submitted,
): Promise<Answer> {
  const { name } = witness.key
  const row = await tx.selectFrom('log_witnesses').select('size').where('name', '=', name).executeTakeFirst()
  let oldSize = Math.min(row?.size ?? 0, size)
  // The second try starts from the size that the witness has named.
  for (let tries = 0; tries < 2; tries += 1) {
    const proof = await consistencyProof(tileReader(tx, size), oldSize, size)
    const answer = await send(witness, { oldSize, proof, note })
    if (answer.status === 200) return accept(tx, log, witness, { note, size, text: answer.text })
    const known = answer.status === 409 ? sizeIn(answer.text) : undefined
    if (known === undefined) {
      if (answer.status === 422) return { conflict: 'witness_refuses' }
      log.logger.warn({ witness: name, status: answer.status }, 'a witness refuses to cosign')
      return {}
    }
    if (known > size) return { conflict: 'witness_ahead' }
    // It has as many entries as we said, but other ones.
    if (known === oldSize) return { conflict: 'witness_refuses' }
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
  return { line }
}

type Submission = { oldSize: number; proof: readonly Buffer[]; note: string }

function send({ url }: Witness, { oldSize, proof, note }: Submission) {
  const lines = [`old ${oldSize}`, ...proof.map((hash) => hash.toString('base64')), '', note]
  const submission = { body: lines.join('\n'), timeoutMs, maxBytes: maxAnswerBytes }
  return postText(`${url.replace(/\/$/, '')}/add-checkpoint`, submission)
}
