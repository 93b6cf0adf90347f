// What this browser remembers: the last checkpoint of each log, and the logs of each site.

const keyOf = (origin) => `log-checkpoint:${origin}`
const logsKeyOf = (site) => `site-logs:${site}`
const wordsIn = (text) => text?.split(' ').filter(Boolean) ?? []

/** A browser may refuse to store anything. Then every visit is the first. */
const stored = (change) => {
  try {
    return change(localStorage) ?? undefined
  } catch {
    return undefined
  }
}

/** What is remembered now. A later visit in another tab does not change it: the log that it saw may be larger. */
export function readVisits() {
  const copy = new Map(stored((storage) => Object.entries({ ...storage })))
  return {
    lastVisit: (origin) => copy.get(keyOf(origin)),
    seenLogs: (site) => wordsIn(copy.get(logsKeyOf(site))),
  }
}

/** Remembers a visit. Keeps what another tab has stored meanwhile, if it knows more. */
export function saveVisit({ checkpoint, logs }) {
  stored((storage) => {
    if (checkpoint) {
      const known = storage.getItem(keyOf(checkpoint.origin))
      if (known === null || sizeIn(known) < sizeIn(checkpoint.note))
        storage.setItem(keyOf(checkpoint.origin), checkpoint.note)
    }
    if (logs) {
      const all = new Set([...logs.origins, ...wordsIn(storage.getItem(logsKeyOf(logs.site)))])
      storage.setItem(logsKeyOf(logs.site), [...all].join(' '))
    }
  })
}

/** The number of entries that a checkpoint covers; -1 if it has none. */
export function sizeIn(note) {
  const written = note.split('\n')[1] ?? ''
  return /^\d{1,19}$/.test(written) ? BigInt(written) : -1n
}
