export type CurlRequest = {
  method: string
  url: string
  /** Whether the answer stays open: each event is shown when it comes. */
  isStream?: boolean
  /** Whether to send the API key from the shell variable `BROADSIDE_API_KEY`. */
  hasKey?: boolean
  idempotencyKey?: string
  /** Other headers, in display order. */
  headers?: Readonly<Record<string, string>>
  body?: unknown
  /** A file with the body, instead of `body`. */
  bodyFile?: string
}

/** A command that can be pasted into a shell unchanged. */
export function curl(request: CurlRequest): string {
  const { method, url, isStream, hasKey, idempotencyKey, headers = {}, body, bodyFile } = request
  const hasBody = body !== undefined || bodyFile !== undefined
  // curl sends GET by default, or POST if there is a body.
  const isPlain = method === (hasBody ? 'POST' : 'GET')
  const words = [
    `curl -s${isStream ? 'N' : ''} ${isPlain ? '' : `-X ${method} `}${shellWord(url)}`,
    ...(hasKey ? ['-H "authorization: Bearer $BROADSIDE_API_KEY"'] : []),
    ...(idempotencyKey === undefined ? [] : [`-H ${shellWord(`idempotency-key: ${idempotencyKey}`)}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(hasBody ? [`-H 'content-type: application/json'`] : []),
    ...(bodyFile === undefined ? [] : [`--data-binary @${bodyFile}`]),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`]),
  ]
  return words.join(' \\\n  ')
}

/** A command that writes JSON to a file. The quoted delimiter prevents shell expansion. */
export const writeJsonFile = (name: string, value: unknown): string =>
  `cat > ${name} <<'JSON'\n${JSON.stringify(value, null, 2)}\nJSON`

/** Uses double quotes around shell variables such as `$POST_ID`, so that the shell expands them. */
const shellWord = (text: string): string => {
  if (/\$[A-Z_]+/.test(text)) return `"${text}"`
  return /^[\w:/.%-]+$/.test(text) ? text : quoted(text)
}
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
