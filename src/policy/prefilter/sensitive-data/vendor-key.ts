import { crc32 } from 'node:zlib'
import { inEachPart, type Rule } from '../rule.ts'
import { isPlaceholder } from './placeholder.ts'

export const vendorKey: Rule = {
  id: 'vendor_key',
  category: 'personal_data',
  summary:
    'A key or token of a well-known service, recognised by its format. Placeholders from documentation pass (EXAMPLE, ' +
    'xxxx, 123456), and so do public and sandbox keys.',
  find: inEachPart(({ field, text }) => {
    const shape = shapes.find(({ pattern, isGenuine }) =>
      text.matchAll(pattern).some(({ 0: key, groups }) => {
        const random = groups?.['random'] ?? key
        return !isPlaceholder(random) && !publishedExamples.has(random) && (isGenuine?.(key) ?? true)
      }),
    )
    if (!shape) return null
    return `\`${field}\` contains what looks like ${shape.name}. If it is real, revoke it. Remove it and submit the post again.`
  }),
}

type Shape = {
  name: string
  /** The pattern without word boundaries. The group `random` distinguishes a key from a placeholder. */
  source: string
  isGenuine?: (key: string) => boolean
}

/** Every repetition has a bound, and every pattern begins at a word boundary: linear time. */
const sources: readonly Shape[] = [
  { name: 'an API key of this service', source: 'bsk_(?<random>[0-9A-Za-z]{49})', isGenuine: hasChecksum },
  { name: 'a webhook secret', source: 'whsec_(?<random>[0-9A-Za-z+/]{32,88}={0,2})' },
  { name: 'an AWS access key', source: '(?:AKIA|ASIA)(?<random>[A-Z2-7]{16})' },
  {
    name: 'an AWS secret key',
    source: `(?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY|[sS]ecretAccessKey)["']?\\s{0,3}[:=]\\s{0,3}["']?(?<random>[0-9A-Za-z/+]{40})`,
  },
  { name: 'a GitHub token', source: 'gh[oprsu]_(?<random>[0-9A-Za-z]{36,255})' },
  { name: 'a GitHub token', source: 'github_pat_(?<random>[0-9A-Za-z]{22}_[0-9A-Za-z]{59})' },
  { name: 'a GitLab token', source: 'gl(?:pat|dt|ptt|rt|cbt|oas)-(?<random>[\\w-]{20,300})' },
  { name: 'a Slack token', source: 'xox[abeprs]-(?:\\d{8,15}-){1,3}(?<random>[0-9A-Za-z]{20,64})' },
  { name: 'a Slack token', source: 'xapp-\\d-[0-9A-Z]{8,15}-\\d{8,15}-(?<random>[0-9a-f]{64})' },
  {
    name: 'a Slack webhook URL',
    source: 'hooks\\.slack\\.com/services/T\\w{6,14}/B\\w{6,14}/(?<random>\\w{24})',
  },
  // Sandbox keys (`sk_test_`) move no money and appear in every tutorial; publishable keys (`pk_`) are public.
  { name: 'a Stripe live key', source: '[rs]k_live_(?<random>[0-9A-Za-z]{24,250})' },
  // The middle is "OpenAI" in base64.
  { name: 'an OpenAI key', source: 'sk-(?<random>[\\w-]{20,100}T3BlbkFJ[\\w-]{20,100})' },
  { name: 'an Anthropic key', source: 'sk-ant-[a-z]{3,6}\\d\\d-(?<random>[\\w-]{80,120})' },
  { name: 'a Google API key', source: 'AIza(?<random>[\\w-]{35})' },
  { name: 'a Google client secret', source: 'GOCSPX-(?<random>[\\w-]{28})' },
  { name: 'an npm token', source: 'npm_(?<random>[0-9A-Za-z]{36})' },
  { name: 'a PyPI token', source: 'pypi-AgEIcHlwaS5vcmc(?<random>[\\w-]{50,1000})' },
  { name: 'a Hugging Face token', source: 'hf_(?<random>[A-Za-z]{34})' },
  { name: 'a Twilio key', source: 'SK(?<random>[0-9a-f]{32})' },
  { name: 'a SendGrid key', source: 'SG\\.(?<random>[\\w-]{22}\\.[\\w-]{43})' },
  { name: 'a DigitalOcean token', source: 'do[opr]_v1_(?<random>[0-9a-f]{64})' },
  { name: 'a Shopify token', source: 'shp(?:at|ca|pa|ss)_(?<random>[0-9a-fA-F]{32})' },
  { name: 'a Telegram bot token', source: '(?:bot)?\\d{8,10}:(?<random>AA[\\w-]{33})' },
]
const shapes = sources.map((shape) => ({
  ...shape,
  pattern: new RegExp(`(?<![\\w-])${shape.source}(?![\\w-])`, 'g'),
}))

/** From the manuals of Standard Webhooks and Svix. */
const publishedExamples: ReadonlySet<string> = new Set([
  'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
])

/** As generated in `accounts/api-key.ts`; a test keeps the two in sync. */
function hasChecksum(key: string): boolean {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const checksum = Array.from(key.slice(-6)).reduce((value, letter) => value * 62 + letters.indexOf(letter), 0)
  return checksum === crc32(key.slice(0, -6))
}
