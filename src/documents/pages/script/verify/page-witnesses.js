// Which witnesses cosigned the log.

import { openCheckpoint, parseStrictJson, parseVerifierKey } from './index.js'

/**
 * The witnesses with a valid cosignature on one of the checkpoints, each with its last time. Their keys are those that
 * the reader required and those in the published document.
 */
export async function cosignersOf(checkpoints, publishedKeys, required) {
  const document = parseStrictJson(publishedKeys)
  const published = (await Promise.all(document.witnesses.map(({ vkey }) => witnessKeyOf(vkey)))).filter(Boolean)
  const cosigners = new Map()
  for (const note of checkpoints) {
    const [origin] = note.split('\n')
    const { vkey } = document.logs.find((log) => log.origin === origin)
    const logKey = await parseVerifierKey(vkey, 'log')
    const witnesses = [...published, ...required]
    const opened = await openCheckpoint(note, { origin, logKey, witnesses, now: new Date() })
    for (const { name, publicKey, time } of opened.witnesses) {
      const isRequired = required.some((key) => key.publicKey.join() === publicKey.join())
      cosigners.set(publicKey.join(), { name, isRequired, at: new Date(Number(time) * 1_000) })
    }
  }
  return [...cosigners.values()].sort((one, other) => other.isRequired - one.isRequired)
}

/** The same from the result of a library that says it. */
export const cosignersOfFacts = ({ cosignatures }) => {
  const last = new Map(cosignatures.map((each) => [each.witness, each]))
  return [...last.values()].map(({ witness, time, isRequired }) => ({ name: witness, at: new Date(time), isRequired }))
}

/** The checkpoint in a proof. */
export const checkpointIn = (proof) => {
  const text = new TextDecoder().decode(proof)
  return text.slice(text.indexOf('\n\n') + 2)
}

/** A witness can have a key of a type that the library does not know. */
const witnessKeyOf = (vkey) => parseVerifierKey(vkey, 'witness').catch(() => undefined)
