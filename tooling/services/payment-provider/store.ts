import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Kind, Thing, ThingOf } from './objects.ts'

/** Stored responses by idempotency key, so that a repeated request gets the same response. */
export type Answered = { request: string; status: number; body: string }

type Saved = { things: Thing[]; answers: [string, Answered][]; events: Outgoing[] }

export type Store = ReturnType<typeof openStore>

/** The state of the double, saved to the file if there is one. */
export function openStore(file?: string) {
  const saved = read(file)
  const things = new Map(saved.things.map((thing) => [thing.id, thing]))
  const answers = new Map(saved.answers)
  const events = saved.events
  return {
    answers,
    events,
    put: <One extends Thing>(thing: One): One => {
      things.set(thing.id, thing)
      return thing
    },
    remove: (id: string) => void things.delete(id),
    any: (id: string) => things.get(id),
    find: <Name extends Kind>(kind: Name, id: string | null): ThingOf<Name> | undefined => {
      const found = things.get(id ?? '')
      return found?.object === kind ? (found as ThingOf<Name>) : undefined
    },
    /** Newest first. */
    list: <Name extends Kind>(kind: Name): ThingOf<Name>[] =>
      [...things.values()].filter((thing): thing is ThingOf<Name> => thing.object === kind).reverse(),
    save: () => {
      if (!file) return
      const all: Saved = { things: [...things.values()], answers: [...answers], events }
      // The file is replaced atomically: a double that is killed leaves either the old file or the new one.
      writeFileSync(`${file}.draft`, JSON.stringify(all), { mode: 0o600 })
      renameSync(`${file}.draft`, file)
    },
  }
}

function read(file: string | undefined): Saved {
  try {
    return JSON.parse(readFileSync(file ?? '', 'utf8')) as Saved
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { things: [], answers: [], events: [] }
  }
}

/** An event with its delivery history. `body` is the signed payload, the same for every attempt. */
export type Outgoing = {
  id: string
  type: string
  body: string
  state: 'held' | 'waiting' | 'delivered' | 'given_up' | 'dropped'
  attempts: number
  status: number | null
}
