import { emailAddress } from '../../../contract/fields.ts'
import type { Database, Transaction } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/identifiers.ts'
import {
  askForStaffLink,
  changeRole,
  disableMember,
  findMember,
  inviteMember,
  listMembers,
  revokePasskeys,
} from '../../../staff/members.ts'
import { type StaffRole, staffRoles } from '../../../staff/roles.ts'
import { type Command, CommandError, type CommandInput, printJson } from '../../command.ts'
import { asOperator, audited } from '../../operator.ts'

const invite: Command = {
  usage: 'staff invite <email>',
  summary: 'Adds a staff member and emails them a link to create a passkey.',
  details:
    'The link works once, for 24 hours. Anyone with the link can create the passkey, so check the address. ' +
    'Prints the member as JSON.',
  options: {
    name: { type: 'string', description: 'Name that colleagues see. Required.' },
    role: { type: 'string', description: 'reviewer (decides), lead (sees all), admin (manages staff). Required.' },
  },
  run: ({ values, flags, environment }) => {
    const [email, name, role] = [readEmail(values), readName(flags['name']), readRole(flags['role'])]
    return asOperator(environment, async (db, at) => {
      const id = newId('staff', at)
      const act = { action: 'staff.invite', accountId: null, at, details: { staff_id: id, role } }
      const outcome = await audited(db, act, async (tx) =>
        (await inviteMember(tx, { id, name, email, role, at })) ? 'done' : 'already',
      )
      if (outcome === 'already')
        throw new CommandError('A member with that address already exists. `staff link` emails them a new link.')
      printJson({ id, name, email, role })
    })
  },
}

const link: Command = {
  usage: 'staff link <email>',
  summary: 'Emails a member a new link to create a passkey, for a second or a lost device.',
  details: 'Earlier links stop working. With --lost, existing passkeys stop working too.',
  options: {
    lost: { type: 'boolean', description: 'Revoke their passkeys and end their sessions.' },
  },
  run: (input) =>
    withMember(input, async (db, { member, at }) => {
      const lost = input.flags['lost'] === true
      const action = lost ? 'staff.replace_passkeys' : 'staff.link'
      const revoked = await act(db, { action, at, details: { staff_id: member.id } }, async (tx) => {
        await askForStaffLink(tx, { staffId: member.id, at })
        return lost ? revokePasskeys(tx, { staffId: member.id, at }) : { passkeys: 0, sessions: 0 }
      })
      printJson({ id: member.id, link: 'mailed', revoked_passkeys: revoked.passkeys, ended_sessions: revoked.sessions })
    }),
}

const list: Command = {
  usage: 'staff list',
  summary: 'Prints the staff as JSON: names, roles, passkeys and when they were last seen.',
  run: ({ environment }) => asOperator(environment, async (db) => printJson(await listMembers(db))),
}

const role: Command = {
  usage: 'staff role <email> <role>',
  summary: 'Changes a member’s role: reviewer, lead or admin. It applies from their next request.',
  run: (input) =>
    withMember(input, async (db, { member, at }) => {
      const to = readRole(input.values['role'])
      const details = { staff_id: member.id, from: member.role, to }
      if (member.role !== to)
        await act(db, { action: 'staff.change_role', at, details }, (tx) =>
          changeRole(tx, { staffId: member.id, role: to }),
        )
      printJson({ id: member.id, role: to })
    }),
}

const disable: Command = {
  usage: 'staff disable <email>',
  summary: 'Disables a member: their sessions end immediately, and their passkeys and links stop working.',
  details:
    'Their decisions are kept under their name. A case they have claimed is released within two minutes. They can be ' +
    'invited again as a new member.',
  run: (input) =>
    withMember(input, async (db, { member, at }) => {
      const ended = await act(db, { action: 'staff.disable', at, details: { staff_id: member.id } }, (tx) =>
        disableMember(tx, { staffId: member.id, at }),
      )
      printJson({ id: member.id, disabled_at: at, revoked_passkeys: ended?.passkeys, ended_sessions: ended?.sessions })
    }),
}

type Member = NonNullable<Awaited<ReturnType<typeof findMember>>>

function withMember(
  { values, environment }: CommandInput,
  work: (db: Database, found: { member: Member; at: Date }) => Promise<void>,
): Promise<void> {
  const email = readEmail(values)
  return asOperator(environment, async (db, at) => {
    const member = await findMember(db, email)
    if (!member) throw new CommandError('No member has that address. `staff list` prints all members.')
    await work(db, { member, at })
  })
}

type Act = { action: string; at: Date; details: Record<string, string> }

/** Performs the action and writes an audit row. Fails if `work` returns null: someone else changed the member first. */
async function act<Done>(db: Database, what: Act, work: (tx: Transaction) => Promise<Done | null>) {
  let done: Done | null = null
  await audited(db, { ...what, accountId: null }, async (tx) => {
    done = await work(tx)
    return done === null ? 'already' : 'done'
  })
  if (done === null)
    throw new CommandError('Someone else changed this member at the same time. Check the member and try again.')
  return done as Done
}

function readEmail({ email }: CommandInput['values']): string {
  const read = emailAddress.safeParse(email?.trim())
  if (!read.success) throw new CommandError('That is not a valid email address.')
  return read.data
}

function readName(given: string | boolean | undefined): string {
  const name = String(given ?? '').trim()
  if (/^[^\p{C}]{1,80}$/u.test(name)) return name
  throw new CommandError('--name is required, with 1 to 80 characters. Colleagues see it.')
}

function readRole(given: string | boolean | undefined): StaffRole {
  const found = staffRoles.find((known) => known === given)
  if (found) return found
  throw new CommandError(`The role must be one of: ${staffRoles.join(', ')}.`)
}

export const commands: readonly Command[] = [invite, link, list, role, disable]
