import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import pg from 'pg'
import { databaseRoles } from '../../../platform/database/database-setup.ts'
import { fileVariable } from '../../../platform/settings/setting-files.ts'
import { type Command, CommandError, printJson } from '../../command.ts'
import { newPassword, roleSettings } from '../../new-secrets.ts'

/** What to restart afterwards. */
const units: Record<keyof typeof roleSettings, string> = {
  api: 'broadside-api@1 and broadside-api@2, one after the other',
  worker: 'the broadside-worker@ units',
  owner_page: 'broadside-owner-page',
  desk: 'broadside-desk',
  migrator: 'nothing',
  operator: 'nothing',
  reader: 'nothing',
  backup: 'nothing',
}

const changePassword: Command = {
  usage: 'database password <role>',
  summary: 'Changes the password of one database role, in PostgreSQL and in its secret file.',
  details:
    `The role is one of ${databaseRoles.join(', ')}. Its database URL must be given by a file, which the command replaces. ` +
    'The role changes its own password, so no administrator is needed. Restart the processes of the role immediately: ' +
    'their open connections continue, but new ones need the new password. If the command is interrupted, repeat it.',
  run: async ({ values, environment }) => {
    const role = databaseRoles.find((name) => name === values['role'])
    if (!role) throw new CommandError(`The role must be one of ${databaseRoles.join(', ')}.`)
    const file = environment[fileVariable(roleSettings[role])]
    if (!file) throw new CommandError(`Set ${fileVariable(roleSettings[role])} to the file with the URL of the role.`)
    // The next password is on disk before PostgreSQL knows it, so an interruption at any point loses neither.
    const next = `${file}.next`
    const current = (await readFile(file, 'utf8')).trim()
    if (!existsSync(next)) await writeLike(file, next, `${withPassword(current)}\n`)
    const planned = (await readFile(next, 'utf8')).trim()
    const isChanged = await works(planned)
    if (!isChanged) await alter(current, decodeURIComponent(new URL(planned).password))
    await rename(next, file)
    printJson({ role: `broadside_${role}`, file, restart: units[role] })
  },
}

function withPassword(url: string): string {
  const changed = new URL(url)
  changed.password = newPassword(randomBytes)
  return changed.href
}

async function writeLike(file: string, copy: string, text: string): Promise<void> {
  const { mode } = await stat(file)
  await writeFile(copy, text, { mode: mode & 0o777, flush: true, flag: 'wx' })
}

/** True if PostgreSQL accepts the password already: an earlier run was interrupted after it had changed it. */
async function works(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: 'broadside password' })
  try {
    await client.connect()
    return true
  } catch (error) {
    if ((error as { code?: string }).code === '28P01') return false
    throw error
  } finally {
    await client.end()
  }
}

async function alter(url: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'broadside password' })
  await client.connect()
  try {
    await client.query(`alter role current_user password ${pg.escapeLiteral(password)}`)
  } finally {
    await client.end()
  }
}

export const commands: readonly Command[] = [changePassword]
