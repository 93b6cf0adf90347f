import { type Account, type Broadside, BroadsideError, BroadsideProblem, isProblem, type Pricing } from '../../index.ts'
import { exitOf } from '../errors.ts'
import { commandLine } from '../generated.ts'
import { oneLine, usd } from '../terminal/text.ts'
import { type Finding, failed, ok, warning } from './check.ts'

/** Key, scopes, email, standing and balance. */
export async function checkAccount(client: Broadside): Promise<Finding[]> {
  try {
    const account = await client.getAccount()
    const pricing = await client.getPricing()
    return [
      ok('key', `valid, account ${oneLine(account.name)} (${account.id})`),
      await checkPublishing(client),
      checkEmail(account),
      checkStanding(account),
      checkBalance(account, pricing),
    ]
  } catch (error) {
    if (error instanceof BroadsideProblem)
      return [failed('key', exitOf(error), oneLine(error.detail), adviceFor(error))]
    if (error instanceof BroadsideError)
      return [failed('key', 'unavailable', oneLine(error.message), 'Try again in a few minutes.')]
    throw error
  }
}

function adviceFor({ code, accountUrl }: BroadsideProblem): string {
  const advice = (commandLine.advice as Record<string, string>)[code] ?? 'Read the page of this problem.'
  return accountUrl ? `${advice} ${accountUrl}` : advice
}

/** A dry run: it needs the same scopes as a post, stores nothing and costs nothing. */
async function checkPublishing(client: Broadside): Promise<Finding> {
  try {
    await client.check('message', { text: 'The ferry to Lisbon leaves at nine from the second pier.' })
    return ok('publishing', 'this key may publish')
  } catch (error) {
    // The balance has a line of its own.
    if (isProblem(error, 'insufficient_balance')) return ok('publishing', 'this key may publish')
    if (!(error instanceof BroadsideProblem)) throw error
    if (isProblem(error, 'insufficient_scope', 'key_read_only'))
      return warning('publishing', 'this key may read, not publish', adviceFor(error))
    return failed('publishing', exitOf(error), oneLine(error.detail), adviceFor(error))
  }
}

const checkEmail = ({ email_verified, account_url }: Account): Finding =>
  email_verified
    ? ok('email', 'the owner’s address is verified')
    : warning('email', 'the owner’s address is not verified', `Ask the owner to open ${account_url}`)

const checkStanding = ({ standing, strikes }: Account): Finding =>
  standing === 'good'
    ? ok('standing', strikes === 0 ? 'good' : `good, strikes: ${strikes}`)
    : failed('standing', 'key', standing, 'Read the decisions on your posts: broadside mine --status rejected')

function checkBalance({ balance_micros, owed_micros, account_url }: Account, { posts }: Pricing): Finding {
  const available = balance_micros - owed_micros
  const tooDear = posts.filter(({ post_micros }) => post_micros > available)
  const detail = usd(balance_micros) + (owed_micros > 0 ? `, owed ${usd(owed_micros)}` : '')
  const advice = `Ask the owner to top up at ${account_url}`
  if (tooDear.length === 0) return ok('balance', `${detail}, enough for a post of each kind`)
  if (tooDear.length === posts.length) return failed('balance', 'owner', `${detail}, too low for any post`, advice)
  return warning('balance', `${detail}, too low for: ${tooDear.map(({ kind }) => kind).join(', ')}`, advice)
}
