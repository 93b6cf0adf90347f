export type Series = { labels: Record<string, string>; points: [seconds: number, value: number][] }
export type Period = { from: number; to: number; step: number }

/** Asks a Prometheus over its HTTP API. */
export function openPrometheusClient(url: string) {
  const ask = async (path: string, parameters: Record<string, string>) => {
    const response = await fetch(`${url}${path}?${new URLSearchParams(parameters)}`)
    const body = (await response.json()) as { status: string; error?: string; data: { result: Answered[] } }
    if (body.status !== 'success') throw new Error(`${parameters['query']}: ${body.error}`)
    return body.data.result
  }
  return {
    /** The values over a period. */
    range: async (query: string, { from, to, step }: Period): Promise<Series[]> => {
      const found = await ask('/api/v1/query_range', {
        query,
        start: String(from),
        end: String(to),
        step: String(step),
      })
      return found.map(({ metric, values = [] }) => ({ labels: metric, points: values.map(toPoint) }))
    },
    /** The values at one moment. */
    now: async (query: string, at?: number): Promise<Series[]> => {
      const found = await ask('/api/v1/query', { query, ...(at && { time: String(at) }) })
      return found.map(({ metric, value }) => ({ labels: metric, points: value ? [toPoint(value)] : [] }))
    },
  }
}

export type PrometheusClient = ReturnType<typeof openPrometheusClient>

type Sample = [number, string]
type Answered = { metric: Record<string, string>; value?: Sample; values?: Sample[] }

const toPoint = ([at, value]: Sample): [number, number] => [at, Number(value)]
