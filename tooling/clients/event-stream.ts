/** One server-sent event, with its data as JSON. */
export type ReceivedEvent = { id: string; type: string; data: { id: string; [name: string]: unknown } }

export type EventStreamParser = {
  /** Takes a part of the stream and returns the events that it completes. */
  push: (part: string) => ReceivedEvent[]
  /** The cursor to resume with: the last `id:`, with or without an event. */
  lastId: () => string | undefined
}

/** Parses server-sent events as the HTML specification says, as far as the service uses them. */
export function parseEventStream(start?: string): EventStreamParser {
  let rest = ''
  let lastId = start
  return {
    push: (part) => {
      const blocks = (rest + part).split('\n\n')
      rest = blocks.pop() ?? ''
      return blocks.flatMap((block) => {
        const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line]))
        const valueAt = (name: string) => fields.get(name)?.slice(name.length + 2)
        lastId = valueAt('id') ?? lastId
        const data = valueAt('data')
        return data === undefined
          ? []
          : [{ id: String(lastId), type: String(valueAt('event')), data: JSON.parse(data) }]
      })
    },
    lastId: () => lastId,
  }
}

export type OpenStream = {
  response: Response
  events: ReceivedEvent[]
  lastId: () => string | undefined
  /** All bytes as text. */
  text: () => string
  ended: Promise<void>
  close: () => Promise<void>
} & AsyncDisposable

type Options = {
  query?: Record<string, string>
  apiKey?: string
  lastEventId?: string | undefined
  headers?: Record<string, string>
}

/** Opens GET /v1/stream and collects its events. A refusal is returned as it is. */
export async function openEventStream(baseUrl: string, options: Options = {}): Promise<OpenStream> {
  const stop = new AbortController()
  const response = await fetch(`${baseUrl}/v1/stream?${new URLSearchParams(options.query)}`, {
    headers: {
      accept: 'text/event-stream',
      ...(options.apiKey && { authorization: `Bearer ${options.apiKey}` }),
      ...(options.lastEventId && { 'last-event-id': options.lastEventId }),
      ...options.headers,
    },
    signal: stop.signal,
  })
  const events: ReceivedEvent[] = []
  const parser = parseEventStream(options.lastEventId)
  const decoder = new TextDecoder()
  let text = ''
  const read = async () => {
    for await (const part of response.body ?? []) {
      const added = decoder.decode(part, { stream: true })
      text += added
      events.push(...parser.push(added))
    }
  }
  const ended = response.status === 200 ? read().catch(() => {}) : Promise.resolve()
  const close = async () => {
    stop.abort()
    await ended
  }
  return { response, events, lastId: parser.lastId, text: () => text, ended, close, [Symbol.asyncDispose]: close }
}
