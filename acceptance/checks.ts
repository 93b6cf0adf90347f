/** Checks, and what they need beforehand. A file of `sections/` declares them when it is loaded; `run.ts` runs them. */

/** An answer of the service: its shape is what the checks find out. */
// biome-ignore lint/suspicious/noExplicitAny: A check asserts each member that it reads.
export type Json = any

/** The service broke a promise. Any other error is a fault of the suite. */
export class Failure extends Error {}
export class Skip extends Error {}
export const skip = (reason: string): never => {
  throw new Skip(reason)
}

export function show(value: unknown, limit = 240): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > limit ? `${text.slice(0, limit)}…` : text
}
type Fixture = () => Promise<unknown>
export type Check = { id: string; clause: string; run: () => unknown }
export type Section = { fixtures: Fixture[]; checks: Check[] }

export const sections: Section[] = []
export const sharedFixtures: Fixture[] = []

/**
 * Begins a section and returns the function that declares its checks: `test('<id>: <clause>', run)`. The clause says
 * what promise the check proves.
 */
export function section(name: string): (title: string, run: Check['run']) => void {
  const checks: Check[] = []
  sections.push({ fixtures: [], checks })
  return (title, run) => {
    const [, id, clause = ''] = /^(\S+): (.*)$/s.exec(title) ?? []
    if (!id || checks.some((check) => check.id === `${name}/${id}`))
      throw new Error(`bad or repeated: ${name}/${title}`)
    checks.push({ id: `${name}/${id}`, clause, run })
  }
}

/** Something that is made once and used by many checks. All fixtures of a section are made side by side. */
export function fixture<T>(name: string, make: () => T | Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined
  const making = async () => {
    try {
      return await make()
    } catch (error) {
      if (error instanceof Failure) error.message = `could not make "${name}": ${error.message}`
      throw error
    }
  }
  const get = () => (promise ??= making())
  const { fixtures } = sections.at(-1) ?? { fixtures: sharedFixtures }
  fixtures.push(get)
  return get
}
