import type { Problem } from '../../contract/problem.ts'
import { type FieldName, fieldNames } from './asked.ts'

/** What is wrong with each field, as a sentence for people. */
export type Faults = ReadonlyMap<FieldName, string>

export const noFaults: Faults = new Map()

export function faultsOf({ members }: Problem): Faults {
  const faults = (members.errors ?? []).flatMap(({ pointer, detail }) => {
    const name = fieldNames.find((one) => pointer === `#/${one}`)
    return name ? [[name, `${subjects[name]} ${inWords[name] ?? detail}.`] as const] : []
  })
  // The first of a field says most.
  return new Map(faults.toReversed())
}

const subjects: Record<FieldName, string> = {
  q: 'What you look for',
  kind: 'The kind',
  sort: 'The order',
  topic: 'A topic',
  country: 'The country',
  since: 'The first day',
  until: 'The last day',
}

/** Where the contract speaks of what only programs write. */
const inWords: Partial<Record<FieldName, string>> = {
  country: 'must be one of the list',
  since: 'must be a day, such as 2026-11-15',
  until: 'must be a day, such as 2026-11-15',
}
