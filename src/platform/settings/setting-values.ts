import { createSecretKey } from 'node:crypto'
import { z } from 'zod'

export const port = z.coerce.number().int().min(1).max(65_535)
export const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ })

/** `message=https://messages.example story=https://stories.example …`: the origin of each site. */
export const sites = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(z.templateLiteral([z.string().regex(/[a-z]+/), '=', z.string().regex(/https?:\/\/[^/]+/)])).min(1))
  .refine((pairs) => new Set(pairs.map((pair) => pair.split('=', 1)[0])).size === pairs.length)
  .transform((pairs) => Object.fromEntries(pairs.map((pair) => pair.split('=', 2) as [string, string])))

/** `443 [::]:443`: ports, or addresses with a port. */
export const listenAddresses = wordsOf(z.string().regex(/^(?:\[[0-9a-f:]+\]:|(?:\d{1,3}\.){3}\d{1,3}:)?\d{1,5}$/i))
const ipAddress = z.union([z.ipv4(), z.ipv6()])
/** `10.0.0.0/8 2001:db8::/32`. */
export const addressRanges = wordsOf(z.union([ipAddress, z.cidrv4(), z.cidrv6()]))
/** `192.0.2.53 192.0.2.53:5353 [2001:db8::53]:5353`. */
export const serverAddresses = wordsOf(z.string().refine(isServerAddress))
/** `broadside-api:4101`, `10.0.0.7:4101` or `[2001:db8::7]:4101`. nginx looks a name up once, when it starts. */
export const upstreamServer = z.string().regex(/^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:]+\]):\d{1,5}$/i)
export const upstreamServers = wordsOf(upstreamServer)
/** Origins of one service, all with or all without TLS. */
export const endpoints = wordsOf(
  z.string().regex(/^https?:\/\/[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?\/?$/i),
).refine((urls) => new Set(urls.map((url) => new URL(url).protocol)).size === 1)
/** Characters that have a special meaning in nginx configuration. */
export const filePath = z.string().regex(/^\/[^\s'"$\\{};]+$/)

/** `2026-11:<base64 of 32 bytes> 2026-05:…`. A key object does not show its content when printed. */
export const secretKeys = wordsOf(z.string().regex(/^[a-z0-9-]{1,32}:[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/))
  .transform((words) => words.map((word) => word.split(':', 2) as [id: string, key: string]))
  .refine((pairs) => [0, 1].every((part) => new Set(pairs.map((pair) => pair[part])).size === pairs.length))
  .transform((pairs) => pairs.map(([id, key]) => ({ id, key: createSecretKey(key, 'base64') })))

/** One, or two during a rotation. Excludes characters that have a special meaning in nginx configuration. */
export const ownSecrets = wordsOf(z.string().regex(/^[\w+/=.~-]{32,200}$/))
  .refine((words) => words.length <= 2 && new Set(words).size === words.length)
  .transform((words) => words.map((word) => createSecretKey(word, 'utf8')))

/** A query could turn off certificate checks. */
export const smtpUrl = z
  .string()
  .regex(/^smtps?:\/\/[^\s/?#]+\/?$/)
  .refine(isMailServer)
export const mailAddress = z
  .string()
  .max(254)
  .regex(/^[\w.+-]+@[a-z0-9.-]+$/i)
/** `Broadside <hello@broadside.example>`, or only the address. */
export const sender = z
  .string()
  .max(320)
  .regex(/^(?:[^\p{Cc}<>"(),:;@\\]+ <[\w.+-]+@[a-z0-9.-]+>|[\w.+-]+@[a-z0-9.-]+)$/iu)

export const accountKey = z.string().regex(/^[sr]k_(?:test|live)_\w{4,250}$/)
/** One, or two during a rotation. */
export const signingSecrets = wordsOf(z.string().regex(/^whsec_[\w+/=-]{8,200}$/)).refine(
  (words) => words.length <= 2 && new Set(words).size === words.length,
)
/** The key is sent to this origin, so plain HTTP is allowed only for this machine. */
export const keyedOrigin = z
  .string()
  .regex(/^(?:https:\/\/[^/?#@\s]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3})(?::\d+)?)$/)

function wordsOf<Word extends z.ZodType<string, string>>(word: Word) {
  return z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(word).min(1))
}

function isServerAddress(text: string): boolean {
  if (ipAddress.safeParse(text).success) return true
  const [, six, four, number] = /^(?:\[(.+)\]|(.+)):(\d{1,5})$/.exec(text) ?? []
  const host = six === undefined ? z.ipv4().safeParse(four) : z.ipv6().safeParse(six)
  return host.success && port.safeParse(number).success
}

function isMailServer(text: string): boolean {
  const url = URL.parse(text)
  return Boolean(url?.hostname) && isDecodable(`${url?.username} ${url?.password}`)
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}
