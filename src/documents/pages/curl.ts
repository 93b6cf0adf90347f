export type CurlRequest = {
  method: string
  url: string
  /** Whether an API key is sent, from the variable `API_KEY`. */
  hasKey?: boolean
  idempotencyKey?: string
  /** Others, in the order in which they are shown. */
  headers?: Readonly<Record<string, string>>
  body?: unknown
  /** A file that holds the body, in the place of `body`. */
  bodyFile?: string
}

/** A command that can be pasted into a shell as it stands. */
export function curl({ method, url, hasKey, idempotencyKey, headers = {}, body, bodyFile }: CurlRequest): string {
  const hasBody = body !== undefined || bodyFile !== undefined
  // curl itself sends GET, or POST where there is a body.
  const isPlain = method === (hasBody ? 'POST' : 'GET')
  const words = [
    `curl -s ${isPlain ? '' : `-X ${method} `}${shellWord(url)}`,
    ...(hasKey ? ['-H "authorization: Bearer $API_KEY"'] : []),
    ...(idempotencyKey === undefined ? [] : [`-H ${shellWord(`idempotency-key: ${idempotencyKey}`)}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(hasBody ? [`-H 'content-type: application/json'`] : []),
    ...(bodyFile === undefined ? [] : [`--data-binary @${bodyFile}`]),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ]
  return words.join(' \\\n  ')
}

/** A command that writes JSON into a file. The quoted mark keeps the shell from reading anything in it. */
export const writeJsonFile = (name: string, value: unknown): string =>
  `cat > ${name} <<'JSON'\n${JSON.stringify(value, null, 2)}\nJSON`

/** A variable of the shell, such as `$POST_ID`, must be left to it. */
const shellWord = (text: string): string => {
  if (/\$[A-Z_]+/.test(text)) return `"${text}"`
  return /^[\w:/.%-]+$/.test(text) ? text : quoted(text)
}
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
