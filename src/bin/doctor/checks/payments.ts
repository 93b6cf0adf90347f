import { openPayments, paymentSettings } from '../../../platform/payments/open-payments.ts'
import { SettingsError } from '../../../platform/settings/settings.ts'
import { type CheckFinding, type Context, codeOf, problem, type RunCheck } from '../check.ts'
import { askService } from '../probe.ts'

export const checkPayments: RunCheck = async (context) => {
  const settings = context.read(paymentSettings)
  if (settings.PAYMENTS_DRIVER === 'manual')
    return { summary: 'Payments are confirmed by hand; there is no provider.', findings: [] }
  try {
    await openPayments(settings)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return {
      summary: '',
      findings: [problem(error.message, setFix(context, 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET'))],
    }
  }
  const key = settings.STRIPE_SECRET_KEY ?? ''
  const findings = [...checkMode(context, key), ...(await checkProvider(context, settings.STRIPE_API_URL, key))]
  const mode = key.includes('_live_') ? 'live' : 'test'
  return { summary: `The provider accepts the ${mode} key.`, findings }
}

const setFix = ({ isProduction, unit }: Context, names: string) =>
  isProduction
    ? `Write ${names} to /etc/broadside/secrets/, as the provider’s dashboard shows them, then: ${unit('restart', "'broadside-worker@*' broadside-owner-page")}`
    : `Set ${names} in the environment.`

function checkMode(context: Context, key: string): CheckFinding[] {
  if (context.isProduction === key.includes('_live_')) return []
  const cause = context.isProduction
    ? 'STRIPE_SECRET_KEY is a test key: no card is charged.'
    : 'STRIPE_SECRET_KEY is a live key outside production: real cards would be charged.'
  return [problem(cause, setFix(context, 'STRIPE_SECRET_KEY'))]
}

/** A list of nothing: it changes nothing, and a restricted key may be refused with 403. */
async function checkProvider(context: Context, origin: string, key: string): Promise<CheckFinding[]> {
  try {
    const { status } = await askService(`${origin}/v1/payment_intents?limit=1`, {
      timeoutMs: context.timeoutMs,
      headers: { authorization: `Bearer ${key}` },
    })
    if (status === 401)
      return [problem(`${origin} does not accept STRIPE_SECRET_KEY.`, setFix(context, 'a new STRIPE_SECRET_KEY'))]
    if (status === 403)
      return [
        problem(
          'STRIPE_SECRET_KEY is a restricted key without the right to read payments.',
          'In the provider’s dashboard, give the key read and write access to customers, payments, checkout sessions, refunds and disputes.',
        ),
      ]
    if (status < 500) return []
    return [problem(`${origin} answers ${status}.`, 'Wait, and see the provider’s status page.')]
  } catch (error) {
    return [
      problem(
        `The payment provider ${origin} cannot be reached (${codeOf(error)}).`,
        `Let this machine connect to it; to try it: curl -sSI ${origin}`,
      ),
    ]
  }
}
