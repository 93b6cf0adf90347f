import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { observeAtScrape } from './instruments.ts'

/** What runs beside the service, and whose last result the workers export. */
export const checkNames = ['ledger', 'audit', 'gateway', 'backup', 'restore-drill'] as const
export type CheckName = (typeof checkNames)[number]

const checkResult = z.object({ ended_at: z.iso.datetime(), ok: z.boolean() })

/** Stores the result of a check for the workers of this machine. Does nothing without a directory. */
export async function recordCheck(directory: string | undefined, name: CheckName, result: { ok: boolean; at: Date }) {
  if (directory === undefined) return
  await mkdir(directory, { recursive: true })
  const file = join(directory, `${name}.json`)
  await writeFile(`${file}.new`, `${JSON.stringify({ ended_at: result.at.toISOString(), ok: result.ok })}\n`)
  await rename(`${file}.new`, file)
}

/** Exports the results of checks. A check that never ran has no series. */
export function observeChecks(directory: string): Disposable {
  return observeAtScrape(['checks.last.timestamp', 'checks.last.ok'], async (observe) => {
    const files = await readdir(directory)
    for (const check of checkNames.filter((name) => files.includes(`${name}.json`))) {
      const read = checkResult.safeParse(await readJson(join(directory, `${check}.json`)))
      // An unreadable result counts as a failure, so that somebody looks.
      observe('checks.last.ok', read.success && read.data.ok ? 1 : 0, { check })
      if (read.success) observe('checks.last.timestamp', Date.parse(read.data.ended_at) / 1_000, { check })
    }
  })
}

const readJson = async (file: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}
